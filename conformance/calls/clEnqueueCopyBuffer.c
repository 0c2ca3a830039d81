/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/linear.h"

/* A second buffer, beside that of the world. */
static cl_mem second;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueCopyBuffer(q, w->buffer, second, 16, 32, 100, n, list,
	    event);
}

static cl_int
source(struct world *w, cl_mem m, size_t offset, size_t size, cl_event *event)
{
	return clEnqueueCopyBuffer(w->queue, m, second, offset, 0, size, 0,
	    NULL, event);
}

static cl_int
destination(struct world *w, cl_mem m, size_t offset, size_t size,
    cl_event *event)
{
	return clEnqueueCopyBuffer(w->queue, second, m, 0, offset, size, 0,
	    NULL, event);
}

static cl_int
within(struct world *w, size_t from, size_t to, size_t size, cl_event *event)
{
	return clEnqueueCopyBuffer(w->queue, w->buffer, w->buffer, from, to,
	    size, 0, NULL, event);
}

static cl_mem
part(struct world *w, size_t origin, size_t size)
{
	const cl_buffer_region r = { origin, size };
	cl_int e;
	cl_mem m = clCreateSubBuffer(w->buffer, 0,
	    CL_BUFFER_CREATE_TYPE_REGION, &r, &e);

	must(e, "clCreateSubBuffer");
	return m;
}

/* Parts at 0 and 1024 of 2048 bytes each: 1024 bytes are common. */
static void
parts(struct world *w)
{
	cl_mem a = part(w, 0, 2048), b = part(w, 1024, 2048);

	WANT_EVENT(w, "overlap of sub-buffers", clEnqueueCopyBuffer(w->queue,
	    a, b, 1024, 0, 16, 0, NULL, &w->done), CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap of sub-buffers by one byte",
	    clEnqueueCopyBuffer(w->queue, a, b, 0, 0, 1025, 0, NULL,
	    &w->done), CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "sub-buffers side by side", clEnqueueCopyBuffer(
	    w->queue, a, b, 0, 0, 1024, 0, NULL, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "overlap within a sub-buffer", clEnqueueCopyBuffer(
	    w->queue, a, a, 0, 8, 16, 0, NULL, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "beyond the end of a sub-buffer", clEnqueueCopyBuffer(
	    w->queue, a, second, 2040, 0, 16, 0, NULL, &w->done),
	    CL_INVALID_VALUE);
	clReleaseMemObject(a);
	clReleaseMemObject(b);
}

void
check_clEnqueueCopyBuffer(struct world *w)
{
	second = world_buffer(w, CL_MEM_HOST_NO_ACCESS, WORLD_SIZE);
	linear_cases(w, source);
	linear_cases(w, destination);
	WANT_EVENT(w, "overlap", within(w, 0, 8, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap, downwards", within(w, 8, 0, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap by one byte", within(w, 0, 15, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "onto itself", within(w, 0, 0, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "side by side", within(w, 0, 16, 16, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "side by side, downwards", within(w, 16, 0, 16,
	    &w->done), CL_SUCCESS);
	parts(w);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_COPY_BUFFER });
	clReleaseMemObject(second);
}
