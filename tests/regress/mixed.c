/* SPDX-License-Identifier: ISC */
/*
 * mixed - what one context over all devices, of several vendors, does besides
 * buffers and order, which graphs tries: one line for each thing.
 */
#include "tests/regress/mixed_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EDGE 8

/* ---- images ------------------------------------------------------------ */

static bool
has_format(cl_mem_object_type type, const cl_image_format *wanted)
{
	cl_image_format list[256];
	cl_uint count = 0, i;

	check("formats", clGetSupportedImageFormats(context,
	    CL_MEM_READ_WRITE, type, 256, list, &count));
	for (i = 0; i < count && i < 256; i++)
		if (memcmp(&list[i], wanted, sizeof(*wanted)) == 0)
			return true;
	return false;
}

/* Each device changes a part; the last content is that of all. */
static void
try_image(const char *name, cl_mem_object_type type, size_t height,
    size_t depth, size_t layers)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = { .image_type = type, .image_width = EDGE,
		.image_height = height, .image_depth = depth,
		.image_array_size = layers };
	const size_t zero[3] = { 0 };
	const size_t rows = height != 0 ? height : layers != 0 ? layers : 1;
	const size_t slices = depth != 0 ? depth :
	    height != 0 && layers != 0 ? layers : 1;
	const size_t all[3] = { EDGE, rows, slices };
	static cl_uint content[EDGE * EDGE * EDGE], got[EDGE * EDGE * EDGE];
	const size_t bytes = EDGE * rows * slices * sizeof(cl_uint);
	cl_event before = NULL, done;
	cl_mem image;
	cl_uint i;
	cl_int code;

	if (!has_format(type, &format)) {
		printf("%s: no common format\n", name);
		return;
	}
	for (i = 0; i < bytes / sizeof(cl_uint); i++)
		content[i] = i * 2654435761u;
	image = clCreateImage(context, CL_MEM_READ_WRITE |
	    CL_MEM_COPY_HOST_PTR, &format, &desc, content, &code);
	check(name, code);
	for (i = 0; i < n; i++) {
		const size_t at[3] = { i % EDGE, i % rows, i % slices };
		const size_t one[3] = { 1, 1, 1 };

		content[at[0] + EDGE * (at[1] + rows * at[2])] = i;
		check("write", clEnqueueWriteImage(queue[i], image, CL_FALSE,
		    at, one, 0, 0, &content[at[0] + EDGE * (at[1] +
		    rows * at[2])], before != NULL, before != NULL ? &before :
		    NULL, &done));
		if (before != NULL)
			clReleaseEvent(before);
		before = done;
	}
	check("read", clEnqueueReadImage(queue[0], image, CL_TRUE, zero, all,
	    0, 0, got, 1, &before, NULL));
	clReleaseEvent(before);
	tell(name, memcmp(got, content, bytes) == 0);
	clReleaseMemObject(image);
}

/* ---- events ------------------------------------------------------------ */

static void
try_failure(void)
{
	cl_uint i, pattern = 1;
	cl_int code, status;
	cl_event user = clCreateUserEvent(context, &code), e[DEVICES_MAX];
	cl_mem m = clCreateBuffer(context, 0, 64, NULL, &code);
	bool all = true;

	for (i = 0; i < n; i++)
		check("fill", clEnqueueFillBuffer(queue[i], m, &pattern, 4, 0,
		    64, 1, i == 0 ? &user : &e[i - 1], &e[i]));
	check("set", clSetUserEventStatus(user, -7));
	for (i = 0; i < n; i++) {
		clWaitForEvents(1, &e[i]);
		check("status", clGetEventInfo(e[i],
		    CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
		    &status, NULL));
		all = all && status < 0;
		clReleaseEvent(e[i]);
	}
	clReleaseEvent(user);
	tell("a failure goes through all", all);
	/* And what it does not concern goes on. */
	for (i = 0; i < n; i++)
		check("fill", clEnqueueFillBuffer(queue[i], m, &pattern, 4, 0,
		    64, i > 0, i > 0 ? &e[i - 1] : NULL, &e[i]));
	check("wait", clWaitForEvents(1, &e[n - 1]));
	for (i = 0; i < n; i++)
		clReleaseEvent(e[i]);
	clReleaseMemObject(m);
	tell("what comes after it", true);
}

static cl_ulong
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (cl_ulong)t.tv_sec * 1000000000u + (cl_ulong)t.tv_nsec;
}

/* Clocks that are not brought together are apart by days. */
static void
try_clocks(void)
{
	const cl_ulong second = 1000000000u, before = now();
	const cl_mem m = clCreateBuffer(context, 0, 64, NULL, NULL);
	cl_ulong t[4];
	cl_event e;
	cl_uint i, k, pattern = 2;
	bool all = true;

	for (i = 0; i < n; i++) {
		check("fill", clEnqueueFillBuffer(queue[i], m, &pattern, 4, 0,
		    64, 0, NULL, &e));
		check("finish", clFinish(queue[i]));
		for (k = 0; k < 4; k++)
			check("profiling", clGetEventProfilingInfo(e,
			    CL_PROFILING_COMMAND_QUEUED + k, sizeof(t[k]),
			    &t[k], NULL));
		all = all && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3] &&
		    t[0] + second > before && t[3] < now() + second;
		clReleaseEvent(e);
	}
	clReleaseMemObject(m);
	tell("one clock", all);
}

/* ---- programs ---------------------------------------------------------- */

static const char source[] = "kernel void put(global int *to) { *to = X; }";

static void
try_builds(void)
{
	const char *text = source;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL,
	    NULL);
	cl_mem m = clCreateBuffer(context, 0, 64, NULL, NULL);
	char options[32], log[4096];
	cl_kernel k;
	cl_uint i;
	cl_int code, got;
	const size_t one = 1;
	bool all = true;

	code = clBuildProgram(p, n, device, "-DX=nothing", NULL, NULL);
	for (i = 0; i < n; i++) {
		log[0] = '\0';
		clGetProgramBuildInfo(p, device[i], CL_PROGRAM_BUILD_LOG,
		    sizeof(log), log, NULL);
		all = all && strlen(log) > 0;
	}
	tell("each device's log", all && code == CL_BUILD_PROGRAM_FAILURE);
	/* Intel's runtime does not build one again that has failed. */
	clReleaseProgram(p);
	p = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
	for (i = 0; i < n; i++) {
		snprintf(options, sizeof(options), "-DX=%u", i + 1);
		check("build", clBuildProgram(p, 1, &device[i], options, NULL,
		    NULL));
	}
	k = clCreateKernel(p, "put", &code);
	check("kernel", code);
	check("argument", clSetKernelArg(k, 0, sizeof(m), &m));
	for (i = 0; i < n; i++) {
		check("launch", clEnqueueNDRangeKernel(queue[i], k, 1, NULL,
		    &one, NULL, 0, NULL, NULL));
		check("finish", clFinish(queue[i]));
		check("read", clEnqueueReadBuffer(queue[(i + 1) % n], m,
		    CL_TRUE, 0, sizeof(got), &got, 0, NULL, NULL));
		all = all && got == (cl_int)i + 1;
	}
	tell("each device's own build", all);
	clReleaseKernel(k);
	clReleaseProgram(p);
	clReleaseMemObject(m);
}

/* ---- what is not there ------------------------------------------------- */

static volatile int gone;

static void CL_CALLBACK
on_gone(cl_mem m, void *arg)
{
	(void)m;
	(void)arg;
	gone = 1;
}

static void
try_ends(void)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	cl_mem m = clCreateBuffer(context, 0, 64, NULL, NULL);
	cl_uint i, pattern = 3;

	tell("no shared virtual memory", clSVMAlloc(context, CL_MEM_READ_WRITE,
	    64, 0) == NULL);
	check("callback", clSetMemObjectDestructorCallback(m, on_gone, NULL));
	for (i = 0; i < n; i++)
		check("fill", clEnqueueFillBuffer(queue[i], m, &pattern, 4, 0,
		    64, 0, NULL, NULL));
	for (i = 0; i < n; i++)
		check("finish", clFinish(queue[i]));
	clReleaseMemObject(m);
	for (i = 0; i < 10000 && !gone; i++)
		nanosleep(&pause, NULL);
	tell("its end is told", gone);
}

int
main(void)
{
	open_all();
	try_image("1D", CL_MEM_OBJECT_IMAGE1D, 0, 0, 0);
	try_image("2D", CL_MEM_OBJECT_IMAGE2D, EDGE, 0, 0);
	try_image("3D", CL_MEM_OBJECT_IMAGE3D, EDGE, EDGE, 0);
	try_image("2D array", CL_MEM_OBJECT_IMAGE2D_ARRAY, EDGE, 0, EDGE);
	try_image("1D array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, EDGE);
	try_clocks();
	try_builds();
	try_failure();
	try_ends();
	close_all();
	return 0;
}
