/* SPDX-License-Identifier: ISC */
/*
 * Signals come all the time, and interrupt system calls, while the program
 * waits in every way; the program's own handler is the one that runs.
 */
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>

#include "conformance/traps/traps.h"

#define SIZE ((size_t)1 << 20)

static atomic_int signals;

static void
on_signal(int number)
{
	(void)number;
	atomic_fetch_add(&signals, 1);
}

static void
set_timer(int us)
{
	const struct itimerval often = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, &often, NULL);
}

void
signals_often(void)
{
	struct sigaction a = { .sa_handler = on_signal }, now;
	char *x = get(SIZE), *y = get(SIZE);
	cl_event gate, e;
	int i, wrong = 0;
	cl_mem m;

	sigaction(SIGALRM, &a, NULL);
	set_timer(700);
	open_device();
	m = buffer_new(SIZE, NULL);
	for (i = 0; i < 30; i++) {
		memset(x, i, SIZE);
		must(clEnqueueWriteBuffer(queue, m, i % 2 != 0, 0, SIZE, x, 0, NULL,
		    NULL), "clEnqueueWriteBuffer");
		must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, SIZE, y, 0,
		    NULL, NULL), "clEnqueueReadBuffer");
		wrong += memcmp(x, y, SIZE) != 0;
	}
	gate = gate_new();
	must(clEnqueueMarkerWithWaitList(queue, 1, &gate, &e), "marker");
	gate_open_later(gate, CL_COMPLETE);
	say("wait: %d", clWaitForEvents(1, &e));
	say("finish: %d", clFinish(queue));
	say("build and run: %d", compute());
	set_timer(0);
	say("wrong: %d", wrong);
	say("signals came: %d", atomic_load(&signals) > 10);
	sigaction(SIGALRM, NULL, &now);
	say("handler is ours: %d", now.sa_handler == on_signal);
}
