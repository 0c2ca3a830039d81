/* SPDX-License-Identifier: ISC */
/*
 * Threads with queues of their own run kernels of one program, and one kernel,
 * whose arguments they set under a lock.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "conformance/traps/traps.h"

#define THREADS 6
#define ROUNDS 40
#define N 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_program program;
static cl_kernel shared;
static atomic_int wrong, rounds;

static void
run_round(cl_command_queue q, cl_kernel own, int number)
{
	int x[N] = { 0 }, i;
	cl_mem m = buffer_new(sizeof(x), x);
	cl_event e;

	must(clReleaseEvent(add_launch(q, own, m, number, N, 0, NULL)),
	    "clReleaseEvent");
	pthread_mutex_lock(&lock);
	e = add_launch(q, shared, m, 1000 * number, N, 0, NULL);
	pthread_mutex_unlock(&lock);
	must(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof(x), x, 1, &e, NULL),
	    "clEnqueueReadBuffer");
	for (i = 0; i < N; i++)
		if (x[i] != 1001 * number)
			break;
	if (i < N)
		atomic_fetch_add(&wrong, 1);
	must(clReleaseEvent(e), "clReleaseEvent");
	must(clReleaseMemObject(m), "clReleaseMemObject");
	atomic_fetch_add(&rounds, 1);
}

static void *
work(void *arg)
{
	int number = 1 + (int)(size_t)arg, i;
	cl_command_queue q = queue_new(number % 2 != 0 ?
	    CL_QUEUE_PROFILING_ENABLE : 0);
	cl_int code;
	cl_kernel own = clCreateKernel(program, "add", &code);

	must(code, "clCreateKernel");
	for (i = 0; i < ROUNDS; i++)
		run_round(q, own, number);
	must(clReleaseKernel(own), "clReleaseKernel");
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
	return NULL;
}

void
kernel_threads(void)
{
	pthread_t thread[THREADS];
	cl_int code;
	size_t i;

	open_device();
	program = program_new(add_source, "");
	shared = clCreateKernel(program, "add", &code);
	must(code, "clCreateKernel");
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
			die("no thread");
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	say("rounds: %d", atomic_load(&rounds));
	say("wrong: %d", atomic_load(&wrong));
}
