/* SPDX-License-Identifier: ISC */
/*
 * Values of eight bytes that are, bit by bit, handles of live objects, but in
 * arguments that are no objects.
 */
#include <string.h>

#include "conformance/traps/traps.h"

static const char source[] =
    "typedef struct { ulong x; } one;\n"
    "typedef struct { uint low, high; } two;\n"
    "kernel void put(one a, ulong b, two c, long d, global ulong *to)\n"
    "{\n"
    "	to[0] = a.x;\n"
    "	to[1] = b;\n"
    "	to[2] = c.low | (ulong)c.high << 32;\n"
    "	to[3] = (ulong)d;\n"
    "}\n";

static void
try(const char *name, cl_kernel k, cl_mem to, const void *handle)
{
	const size_t one = 1;
	cl_ulong value = 0, seen[4];
	cl_uint i;

	memcpy(&value, &handle, sizeof(handle));
	for (i = 0; i < 4; i++)
		must(clSetKernelArg(k, i, sizeof(value), &value),
		    "clSetKernelArg");
	must(clSetKernelArg(k, 4, sizeof(to), &to), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	must(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(seen), seen, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	for (i = 0; i < 4; i++)
		say("%s %u: %d", name, i, seen[i] == value);
}

void
arg_handle(void)
{
	cl_mem to, other;
	cl_kernel k;

	open_device();
	k = kernel_new(source, "put");
	to = buffer_new(4 * sizeof(cl_ulong), NULL);
	other = buffer_new(64, NULL);
	try("the result", k, to, to);
	try("another buffer", k, to, other);
	try("the queue", k, to, queue);
	try("the kernel", k, to, k);
	try("null", k, to, NULL);
	must(clReleaseMemObject(other), "clReleaseMemObject");
	try("a released buffer", k, to, other);
}
