/* SPDX-License-Identifier: ISC */
/*
 * graph_world - a context over all devices of all kinds, with two queues each.
 */
#include "tests/regress/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] =
    "kernel void add(global uint *b, uint at, uint v)\n"
    "{ b[at + get_global_id(0)] += v; }\n"
    "kernel void axpy(global uint *y, uint to, global const uint *x,\n"
    "    uint from, uint a)\n"
    "{ y[to + get_global_id(0)] += a * x[from + get_global_id(0)]; }\n"
    "kernel void set(global uint *b, uint at, uint v)\n"
    "{ b[at + get_global_id(0)] = v ^ (uint)get_global_id(0); }\n";

static bool
add_queue(struct world *w, cl_device_id d, cl_command_queue_properties p)
{
	char name[256] = "";
	cl_int code;

	if (w->queue_count == QUEUES_MAX)
		return true;
	clGetDeviceInfo(d, CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
	w->name[w->queue_count] = strdup(name);
	w->in_order[w->queue_count] = p == 0;
	w->queue[w->queue_count] = clCreateCommandQueue(w->context, d, p,
	    &code);
	if (code == CL_SUCCESS)
		w->queue_count++;
	return code == CL_SUCCESS;
}

static bool
add_queues(struct world *w, cl_device_id d)
{
	const cl_command_queue_properties free_order =
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
	cl_command_queue_properties can = 0;
	cl_uint align = 0;

	clGetDeviceInfo(d, CL_DEVICE_QUEUE_PROPERTIES, sizeof(can), &can,
	    NULL);
	clGetDeviceInfo(d, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof(align),
	    &align, NULL);
	while (w->part_words * 32 < align)
		w->part_words *= 2;
	return add_queue(w, d, 0) && (!(can & free_order) ||
	    add_queue(w, d, free_order));
}

static bool
build(struct world *w)
{
	const char *text = source;
	cl_int code;

	w->program = clCreateProgramWithSource(w->context, 1, &text, NULL,
	    &code);
	if (code != CL_SUCCESS || clBuildProgram(w->program, 0, NULL, "",
	    NULL, NULL) != CL_SUCCESS)
		return false;
	w->add = clCreateKernel(w->program, "add", NULL);
	w->axpy = clCreateKernel(w->program, "axpy", NULL);
	w->set = clCreateKernel(w->program, "set", NULL);
	return w->add != NULL && w->axpy != NULL && w->set != NULL;
}

bool
world_open(struct world *w)
{
	cl_platform_id platform;
	cl_device_id devices[16];
	cl_uint n = 0, i;
	cl_int code;

	memset(w, 0, sizeof(*w));
	w->part_words = 16;
	if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &n) !=
	    CL_SUCCESS)
		return false;
	w->context = clCreateContext(NULL, n, devices, NULL, NULL, &code);
	if (code != CL_SUCCESS) {
		printf("clCreateContext over %u devices: %d\n", n, code);
		return false;
	}
	for (i = 0; i < n; i++)
		if (!add_queues(w, devices[i]))
			return false;
	printf("%u devices, %u queues\n", n, w->queue_count);
	return w->part_words * PARTS <= WORDS && build(w);
}

void
world_close(struct world *w)
{
	unsigned i;

	clReleaseKernel(w->add);
	clReleaseKernel(w->axpy);
	clReleaseKernel(w->set);
	clReleaseProgram(w->program);
	for (i = 0; i < w->queue_count; i++) {
		clReleaseCommandQueue(w->queue[i]);
		free((void *)(uintptr_t)w->name[i]);
	}
	clReleaseContext(w->context);
}
