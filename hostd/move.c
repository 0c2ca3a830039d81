/* SPDX-License-Identifier: ISC */
#include "hostd/move_private.h"

#include <event2/event.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/bind.h"
#include "hostd/dispatch.h"
#include "hostd/idtab.h"
#include "hostd/window.h"

#define ORDERS_MAX 32
#define AGAIN_MS 30000		/* until what stays is tried again */

static struct order orders[ORDERS_MAX];
static unsigned order_count, order_number;
static struct event *timer;

/* ---- telling ----------------------------------------------------------- */

void
move_tell(struct serve *s, const struct channel_move *order, uint32_t to,
    bool again, const char *format, ...)
{
	struct channel_moved m = { .from = order->from, .to = to,
		.why = order->why, .again = again };
	va_list ap;

	va_start(ap, format);
	vsnprintf(m.text, sizeof(m.text), format, ap);
	va_end(ap);
	log_info("context on device %u %s%s", order->from,
	    to == MOVE_ANYWHERE ? "stays: " : "", m.text);
	if (s->start.moved != NULL)
		s->start.moved(&m);
}

/* ---- orders ------------------------------------------------------------ */

void
move_set_timer(struct serve *s, int64_t ms)
{
	const struct timeval t = { ms / 1000, ms % 1000 * 1000 };

	if (timer != NULL)
		evtimer_add(timer, &t);
	else
		serve_fail(s, VGPU_ENOMEM, "out of memory");
}

static void
on_timer(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	move_look(arg);
}

void
move_forget(struct order *o)
{
	*o = orders[--order_count];
}

bool
move_is_ordered(void)
{
	return order_count > 0;
}

void
move_order(struct serve *s, const struct channel_move *m)
{
	struct order *o = orders;

	if (timer == NULL)
		timer = evtimer_new(s->base, on_timer, s);
	while (o < orders + order_count && o->move.from != m->from)
		o++;
	/* Who has to leave all the same is not held up by that. */
	if (o < orders + order_count && m->why == MOVE_BALANCE &&
	    o->move.why != MOVE_BALANCE)
		return;
	if (o == orders + ORDERS_MAX)
		o--;
	if (o == orders + order_count)
		order_count++;
	*o = (struct order){ .move = *m, .number = ++order_number,
		.given = clock_ms() };
	move_set_timer(s, 0);
}

/* A device that is used again needs not be left. */
void
move_shut_changed(void)
{
	unsigned i;

	for (i = order_count; i-- > 0;)
		if (orders[i].move.why != MOVE_BALANCE &&
		    !bind_is_shut(orders[i].move.from))
			move_forget(&orders[i]);
}

/* ---- contexts ---------------------------------------------------------- */

bool
move_is_possible(const struct serve *s, const struct vcontext *c)
{
	return c->device_count == 1 && c->devices[0]->parent == NULL &&
	    bind_has_other(s, c);
}

struct search {
	const struct serve *serve;
	const struct order *order;
	bool any;		/* also what was found to stay */
	struct vcontext *found;
	int64_t next;		/* when the first that waits may be tried */
};

static bool
is_on(const struct vcontext *c, uint32_t index)
{
	unsigned i;

	for (i = 0; i < c->device_count; i++)
		if (c->devices[i]->pool->index == index)
			return true;
	return false;
}

static void
consider(void *arg, void *object)
{
	struct search *f = arg;
	struct vcontext *c;

	if (f->found != NULL)
		return;
	c = move_context_of(f->serve, object);
	if (c != NULL && c->o.error == CL_SUCCESS &&
	    is_on(c, f->order->move.from) && (f->any ||
	    (c->refused != f->order->number &&
	    move_may_try(c, f->order, &f->next))))
		f->found = c;
}

/* Is there a context that the order is for, now or later? */
static bool
has_any(const struct serve *s, const struct order *o)
{
	struct search f = { s, o, true, NULL, INT64_MAX };

	idtab_each(s->objects, consider, &f);
	return f.found != NULL;
}

/* ---- what comes of it -------------------------------------------------- */

struct order *
move_numbered(unsigned number)
{
	unsigned i;

	for (i = 0; i < order_count; i++)
		if (orders[i].number == number)
			return &orders[i];
	return NULL;
}

struct order *
move_order_of(const struct attempt *a)
{
	unsigned i;

	for (i = 0; i < order_count; i++)
		if (orders[i].move.from == a->order.from)
			return &orders[i];
	return NULL;
}

/* It stays where it is, until all are tried again. */
void
move_leave(struct serve *s, struct vcontext *c, const struct order *o,
    const char *why)
{
	c->refused = o->number;
	if (!o->told)
		move_tell(s, &o->move, MOVE_ANYWHERE, false, "%s", why);
	move_set_timer(s, 0);
}

void
move_followed(const struct attempt *a)
{
	struct order *o = move_order_of(a);

	if (o != NULL && ++o->moved == o->move.most)
		move_forget(o);
}

/* ---- looking ----------------------------------------------------------- */

/* What only the client can end; NULL: nothing. */
static const char *
needs_client(struct serve *s)
{
	if (window_is_any(s))
		return "its client is moving a body by itself";
	if (dispatch_is_behind() || dispatch_stalled(s))
		return "what its client said is not carried out yet";
	return NULL;
}

const char *
move_why_alone(const struct vcontext *c)
{
	if (c->moves)
		return "no other device that could run it may be used";
	if (c->device_count > 1)
		return "it has several devices";
	return c->devices[0]->parent != NULL ? "it has a part of the device" :
	    "no other device could run it";
}

/* Nothing is left to be tried for now; false: the order is forgotten. */
static bool
settle(struct serve *s, struct order *o)
{
	if (o->move.why == MOVE_BALANCE || !has_any(s, o)) {
		move_forget(o);
		return false;
	}
	o->number = ++order_number;
	o->not_before = clock_ms() + AGAIN_MS;
	o->told = true;
	return true;
}

static void
try(struct serve *s, struct order *o, struct vcontext *c)
{
	if (c->moves)
		move_begin(s, c, o);
	else
		move_leave(s, c, o, move_why_alone(c));
}

#define FORGOTTEN (-1)

/*
 * Follow an order, if it is time.  True: something was done, and what comes
 * next is for the next look; else *at is when that should be, or FORGOTTEN.
 */
static bool
follow(struct serve *s, struct order *o, const char *why, int64_t *at)
{
	struct search f = { s, o, false, NULL, INT64_MAX };

	if (why != NULL) {
		move_come_back(s, o, why);
		return true;
	}
	idtab_each(s->objects, consider, &f);
	if (f.found != NULL) {
		try(s, o, f.found);
		return true;
	}
	*at = f.next;
	if (f.next == INT64_MAX)
		*at = settle(s, o) ? o->not_before : FORGOTTEN;
	return false;
}

static void
look(struct serve *s)
{
	const char *why = needs_client(s);
	int64_t next = INT64_MAX, at;
	unsigned i = 0;

	while (i < order_count) {
		at = orders[i].not_before;
		if (clock_ms() >= at && follow(s, &orders[i], why, &at))
			return;
		if (at == FORGOTTEN)
			continue;	/* another one has its place */
		if (at < next)
			next = at;
		i++;
	}
	if (next != INT64_MAX)
		move_set_timer(s, next - clock_ms());
}

void
move_look(struct serve *s)
{
	if (!move_go_on(s))
		look(s);
}
