/* SPDX-License-Identifier: ISC */
/*
 * Forks while other threads create, write, read, wait and build: whatever they
 * are amidst, each child starts anew, and the parent's threads go on.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

#define THREADS 4
#define FORKS 6
#define SIZE (200 << 10)

static atomic_int stop, wrong, rounds;

static void
round_trip(cl_command_queue q, char *x, char *y, int value)
{
	cl_mem m;

	memset(x, value, SIZE);
	m = buffer_new(SIZE, value % 2 != 0 ? x : NULL);
	if (value % 2 == 0)
		must(clEnqueueWriteBuffer(q, m, CL_FALSE, 0, SIZE, x, 0, NULL,
		    NULL), "clEnqueueWriteBuffer");
	must(clEnqueueReadBuffer(q, m, CL_TRUE, 0, SIZE, y, 0, NULL, NULL),
	    "clEnqueueReadBuffer");
	if (memcmp(x, y, SIZE) != 0)
		atomic_fetch_add(&wrong, 1);
	must(clReleaseMemObject(m), "clReleaseMemObject");
	atomic_fetch_add(&rounds, 1);
}

static void *
be_busy(void *arg)
{
	cl_command_queue q = queue_new(0);
	char *x = get(SIZE), *y = get(SIZE);
	int i;

	for (i = 1; !atomic_load(&stop); i++) {
		round_trip(q, x, y, i % 100);
		usleep(1000);
	}
	clReleaseCommandQueue(q);
	free(x);
	free(y);
	return arg;
}

void
fork_threads(void)
{
	pthread_t thread[THREADS];
	int pid, i, before;

	open_device();
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, be_busy, NULL) != 0)
			die("no thread");
	for (i = 0; i < FORKS; i++) {
		before = atomic_load(&rounds);
		if ((pid = fork_now()) == 0)
			exit(compute());
		say_end("child", pid);
		say("threads go on: %d", reaches(&rounds, before + THREADS));
	}
	atomic_store(&stop, 1);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	say("wrong: %d", atomic_load(&wrong));
}
