/* SPDX-License-Identifier: ISC */
/*
 * process - what whole processes take: their start, their CPU and memory
 * while they wait, and what many of them get done.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/child.h"
#include "bench/proc.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

#define BUSY_US 1000000 /* how long all of them are counted */

void
process_start(const struct world *w, const struct bench *b)
{
	struct samples kernel, end;
	struct child c;
	double began;
	unsigned i;

	(void)w;
	samples_init(&kernel, b->count);
	samples_init(&end, b->count);
	for (i = 0; i < b->count; i++) {
		began = now_us();
		child_start(&c, "first", NULL);
		child_value(&c);
		samples_add(&kernel, (now_us() - began) / 1e3);
		child_end(&c);
		samples_add(&end, (now_us() - began) / 1e3);
	}
	reply_value(b->name, "kernel", samples_at(&kernel, 0.5), "ms");
	reply_value(b->name, "end", samples_at(&end, 0.5), "ms");
	samples_fini(&kernel);
	samples_fini(&end);
}

static double
spin_us(const struct world *w, cl_uint steps)
{
	double began = now_us();

	CK(clSetKernelArg(w->spin, 1, sizeof(steps), &steps));
	world_launch(w->queue, w->spin, 0, NULL, NULL);
	CK(clFinish(w->queue));
	return now_us() - began;
}

/*
 * CPU of all processes of client and host during a kernel of about count
 * milliseconds, without the thread that runs it, in percent of a core.
 */
void
process_wait(const struct world *w, const struct bench *b)
{
	static struct proc_cpu from, to;
	static pid_t pids[PROC_MAX];
	cl_mem mem = world_buffer(w, sizeof(cl_uint));
	const double few = 2000000;
	double wall, all, busiest, steps;
	unsigned n;

	CK(clSetKernelArg(w->spin, 0, sizeof(mem), &mem));
	spin_us(w, 1000);
	wall = spin_us(w, (cl_uint)few);
	steps = few / wall * b->count * 1e3;
	n = proc_hosts(pids);
	pids[n++] = getpid();
	proc_cpu_take(&from, pids, n);
	wall = spin_us(w, (cl_uint)(steps > few ? steps : few));
	proc_cpu_take(&to, pids, n);
	proc_cpu_between(&from, &to, &all, &busiest);
	if (busiest < all / 2)
		reply_fail("%s: no thread ran the kernel", b->name);
	reply_value(b->name, NULL, (all - busiest) / wall * 100, "%");
	CK(clReleaseMemObject(mem));
}

static struct child *
start_children(unsigned n, const char *role)
{
	struct child *c = calloc(n, sizeof(*c));
	unsigned i;

	if (c == NULL)
		reply_fail("no memory");
	for (i = 0; i < n; i++)
		child_start(&c[i], role, NULL);
	for (i = 0; i < n; i++)
		child_value(&c[i]);
	return c;
}

static void
end_children(struct child *c, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		child_end(&c[i]);
	free(c);
}

/* Kernels of about a millisecond that count processes finish in a second. */
void
process_busy(const struct world *w, const struct bench *b)
{
	struct child *c = start_children(b->count, "busy");
	double from = now_us() + 100000, sum = 0;
	char line[80];
	unsigned i;

	(void)w;
	snprintf(line, sizeof(line), "%.0f %.0f", from, from + BUSY_US);
	for (i = 0; i < b->count; i++)
		child_tell(&c[i], line);
	for (i = 0; i < b->count; i++)
		sum += child_value(&c[i]);
	end_children(c, b->count);
	reply_value(b->name, NULL, sum / BUSY_US * 1e6, "/s");
}

/* The host's memory, once it does not change any more. */
static double
settled(void)
{
	static pid_t pids[PROC_MAX];
	double last = -1, sum = 0;
	int i;

	for (i = 0; i < 40 && sum != last; i++) {
		if (i > 0)
			usleep(250000);
		last = sum;
		sum = proc_private_sum(pids, proc_hosts(pids));
	}
	return sum;
}

/*
 * Private memory of a process that has run a kernel and waits: of the one
 * that holds the device, which is the client's natively, and of the client.
 */
void
process_idle(const struct world *w, const struct bench *b)
{
	double before = settled(), host, client = 0;
	struct child *c;
	unsigned i;

	(void)w;
	c = start_children(b->count, "idle");
	host = (settled() - before) / b->count;
	for (i = 0; i < b->count; i++)
		client += proc_private(c[i].pid) / b->count;
	end_children(c, b->count);
	reply_value(b->name, "session", before > 0 ? host : client, "MiB");
	reply_value(b->name, "client", client, "MiB");
}
