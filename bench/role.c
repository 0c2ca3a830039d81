/* SPDX-License-Identifier: ISC */
#include "bench/role.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/program.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

static void
say(double v)
{
	printf("%.9g\n", v);
	fflush(stdout);
}

static void
first(struct world *w, const char *arg)
{
	(void)arg;
	world_warm(w, 1);
	say(1);
}

static void
build(struct world *w, const char *arg)
{
	/* A program of ours may still be loaded when its build has returned. */
	world_warm(w, 1);
	say(program_time(w, arg));
}

static void
program(struct world *w, const char *arg)
{
	program_run(w, arg);
}

static void
sleep_until(double us)
{
	struct timespec t = { (time_t)(us / 1e6), 0 };

	t.tv_nsec = (long)((us - (double)t.tv_sec * 1e6) * 1e3);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void
busy(struct world *w, const char *arg)
{
	cl_mem mem = world_buffer(w, sizeof(cl_uint));
	const cl_uint steps = ROLE_BUSY_STEPS;
	double from, to;
	unsigned n = 0;
	char line[80];

	(void)arg;
	CK(clSetKernelArg(w->spin, 0, sizeof(mem), &mem));
	CK(clSetKernelArg(w->spin, 1, sizeof(steps), &steps));
	world_launch(w->queue, w->spin, 0, NULL, NULL);
	CK(clFinish(w->queue));
	say(1);
	if (fgets(line, sizeof(line), stdin) == NULL ||
	    sscanf(line, "%lf %lf", &from, &to) != 2)
		reply_fail("nobody says when to begin");
	sleep_until(from);
	for (;;) {
		world_launch(w->queue, w->spin, 0, NULL, NULL);
		CK(clFinish(w->queue));
		if (now_us() > to)
			break;
		n++;
	}
	say(n);
	CK(clReleaseMemObject(mem));
}

static void
idle(struct world *w, const char *arg)
{
	(void)arg;
	world_warm(w, 1);
	say(1);
	while (getchar() != EOF)
		;
}

static const struct role {
	const char *name;
	void (*play)(struct world *, const char *arg);
} roles[] = {
	{ "first", first },
	{ "build", build },
	{ "program", program },
	{ "busy", busy },
	{ "idle", idle },
};

int
role_play(const char *name, const char *arg)
{
	struct world w;
	size_t i;

	reply_to(stdout);
	for (i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (strcmp(roles[i].name, name) == 0) {
			world_init(&w);
			roles[i].play(&w, arg);
			world_fini(&w);
			return 0;
		}
	fprintf(stderr, "micro: no role \"%s\"\n", name);
	return 2;
}
