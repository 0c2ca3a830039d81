/* SPDX-License-Identifier: ISC */
#include "tests/regress/mixed_world.h"

#include <stdio.h>
#include <stdlib.h>

cl_platform_id platform;
cl_device_id device[DEVICES_MAX];
cl_command_queue queue[DEVICES_MAX];
cl_context context;
cl_uint n;

void
tell(const char *what, bool right)
{
	printf("%s: %s\n", what, right ? "right" : "wrong");
	if (!right)
		exit(1);
}

void
open_all(void)
{
	static const cl_queue_properties timed[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_PROFILING_ENABLE, 0 };
	cl_int code;
	cl_uint i;

	check("platform", clGetPlatformIDs(1, &platform, NULL));
	check("devices", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL,
	    DEVICES_MAX, device, &n));
	context = clCreateContext(NULL, n, device, NULL, NULL, &code);
	check("context", code);
	for (i = 0; i < n; i++) {
		queue[i] = clCreateCommandQueueWithProperties(context,
		    device[i], timed, &code);
		check("queue", code);
	}
}

void
close_all(void)
{
	cl_uint i;

	for (i = 0; i < n; i++)
		clReleaseCommandQueue(queue[i]);
	clReleaseContext(context);
	printf("%u devices\n", n);
}
