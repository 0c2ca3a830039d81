/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/summary.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "icd-vgpu/trace.h"
#include "transport/link.h"

#define CALLS_MAX 512	/* more than there are */

struct row {
	atomic_uint_fast64_t calls, messages, waits, out, in;
	atomic_uint_fast64_t waited, taken;	/* ns */
};

static struct row rows[CALLS_MAX];
static _Thread_local unsigned current;

static void
add(atomic_uint_fast64_t *to, uint64_t n)
{
	atomic_fetch_add_explicit(to, n, memory_order_relaxed);
}

void
summary_enter(struct summary_call *c, unsigned number)
{
	c->before = current;
	c->start = clock_ns();
	current = number < CALLS_MAX ? number : 0;
	add(&rows[current].calls, 1);
}

void
summary_leave(const struct summary_call *c, unsigned number)
{
	if (number < CALLS_MAX)
		add(&rows[number].taken, (uint64_t)(clock_ns() - c->start));
	current = c->before;
}

static void
count_frame(bool sent, size_t bytes)
{
	struct row *r = &rows[current];

	if (sent)
		add(&r->messages, 1);
	add(sent ? &r->out : &r->in, bytes);
}

void
summary_watch(struct link *l)
{
	if (trace_wants_summary())
		link_set_observer(l, count_frame);
}

int64_t
summary_wait_start(void)
{
	return trace_wants_summary() ? clock_ns() : 0;
}

void
summary_wait_end(int64_t start)
{
	if (!trace_wants_summary())
		return;
	add(&rows[current].waits, 1);
	add(&rows[current].waited, (uint64_t)(clock_ns() - start));
}

void
summary_forget(void)
{
	memset(rows, 0, sizeof(rows));
}

/* ---- the table --------------------------------------------------------- */

static int
by_wait(const void *a, const void *b)
{
	const struct row *x = &rows[*(const unsigned *)a];
	const struct row *y = &rows[*(const unsigned *)b];

	if (x->waited != y->waited)
		return x->waited < y->waited ? 1 : -1;
	return x->taken < y->taken ? 1 : x->taken > y->taken ? -1 : 0;
}

static void
print_row(const struct row *r, const char *name)
{
	char line[256];

	snprintf(line, sizeof(line), "%12.3f %7llu %12.3f %9llu %9llu %12llu"
	    " %12llu  %s", (double)r->waited / 1e6,
	    (unsigned long long)r->waits, (double)r->taken / 1e6,
	    (unsigned long long)r->calls, (unsigned long long)r->messages,
	    (unsigned long long)r->out, (unsigned long long)r->in, name);
	trace_summary(line);
}

static void
add_row(struct row *sum, const struct row *r)
{
	sum->calls += r->calls;
	sum->messages += r->messages;
	sum->waits += r->waits;
	sum->out += r->out;
	sum->in += r->in;
	sum->waited += r->waited;
	sum->taken += r->taken;
}

void
summary_print(void)
{
	unsigned order[CALLS_MAX], n = 0, i;
	struct row sum = { 0 };

	for (i = 0; i <= summary_count && i < CALLS_MAX; i++)
		if (rows[i].calls + rows[i].messages + rows[i].in > 0)
			order[n++] = i;
	qsort(order, n, sizeof(*order), by_wait);
	trace_summary("   waited ms   waits      time ms     calls  messages"
	    "    bytes out     bytes in  call");
	for (i = 0; i < n; i++) {
		print_row(&rows[order[i]], order[i] == 0 ? "(in no call)" :
		    summary_names[order[i]]);
		add_row(&sum, &rows[order[i]]);
	}
	print_row(&sum, "all");
}
