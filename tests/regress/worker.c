/* SPDX-License-Identifier: ISC */
/*
 * worker - computes on the first device, one of tests/fakecl, until a file is
 * there, and prints the number of the device whenever it is another one.
 *
 *	worker FILE [ARM]
 *
 * When there is a file ARM, too, fakecl's faults count from then on; and "lost"
 * is printed when the device is said not to be available, instead of failing.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tests/regress/open.h"

#define WORK_NS 10000000u

static cl_context context;
static cl_command_queue queue;
static cl_kernel work, where, arm;
static cl_mem out;
static bool may_be_lost;

static void
make(void)
{
	static const char *source = "kernel void sleep(ulong ns) {}\n"
	    "kernel void where(global int *out) {}\n"
	    "kernel void arm() {}\n";
	const cl_ulong ns = WORK_NS;
	cl_device_id device = open_device();
	cl_program p;

	context = open_context(device);
	queue = open_queue(context, device, 0);
	p = open_program(context, source);
	work = open_kernel(p, "sleep");
	where = open_kernel(p, "where");
	arm = open_kernel(p, "arm");
	out = open_buffer(context, sizeof(cl_int));
	check("clSetKernelArg", clSetKernelArg(work, 0, sizeof(ns), &ns));
	check("clSetKernelArg", clSetKernelArg(where, 0, sizeof(out), &out));
}

/* False: the device is not available, where that may be. */
static bool
is_there(const char *what, cl_int code)
{
	if (!may_be_lost || code != CL_DEVICE_NOT_AVAILABLE)
		check(what, code);
	return code == CL_SUCCESS;
}

/*
 * The number of the device that did it; false: it is not available, which the
 * first call that waits says.  It takes as long as if it were.
 */
static bool
compute(cl_int *number)
{
	const struct timespec as_long = { 0, WORK_NS };
	const size_t one = 1;

	check("sleep", clEnqueueNDRangeKernel(queue, work, 1, NULL, &one, NULL,
	    0, NULL, NULL));
	check("where", clEnqueueNDRangeKernel(queue, where, 1, NULL, &one,
	    NULL, 0, NULL, NULL));
	if (is_there("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, out,
	    CL_TRUE, 0, sizeof(*number), number, 0, NULL, NULL)) &&
	    is_there("clFinish", clFinish(queue)))
		return true;
	nanosleep(&as_long, NULL);
	return false;
}

/* Once, when the file is there. */
static void
look_for(const char *file)
{
	static bool armed;
	const size_t one = 1;

	if (armed || file == NULL || access(file, F_OK) != 0)
		return;
	armed = true;
	check("arm", clEnqueueNDRangeKernel(queue, arm, 1, NULL, &one, NULL, 0,
	    NULL, NULL));
	check("clFinish", clFinish(queue));
}

int
main(int argc, char **argv)
{
	cl_int last = -1, now;

	if (argc != 2 && argc != 3)
		return 2;
	may_be_lost = argc == 3;
	make();
	while (access(argv[1], F_OK) != 0) {
		look_for(argv[2]);
		if (!compute(&now))
			printf("lost\n");
		else if (now != last)
			printf("%d\n", last = now);
		fflush(stdout);
	}
	clReleaseContext(context);
	return 0;
}
