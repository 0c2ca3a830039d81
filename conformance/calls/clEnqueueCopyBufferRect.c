/* SPDX-License-Identifier: ISC */
#include "conformance/calls/defect.h"
#include "conformance/calls/enqueue.h"
#include "conformance/calls/rects.h"

static const size_t zero[3] = { 0, 0, 0 }, small[3] = { 8, 4, 2 };

/* A second buffer, beside that of the world. */
static cl_mem second;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueCopyBufferRect(q, w->buffer, second, zero, zero, small,
	    0, 0, 0, 0, n, list, event);
}

static cl_int
copy(struct world *w, cl_mem from, cl_mem to, cl_event *event)
{
	return clEnqueueCopyBufferRect(w->queue, from, to, zero, zero, small,
	    0, 0, 0, 0, 0, NULL, event);
}

static cl_int
source(struct world *w, const struct side *s, cl_event *event)
{
	return clEnqueueCopyBufferRect(w->queue, w->buffer, second, s->origin,
	    zero, s->region, s->row, s->slice, 0, 0, 0, NULL, event);
}

static cl_int
destination(struct world *w, const struct side *s, cl_event *event)
{
	return clEnqueueCopyBufferRect(w->queue, second, w->buffer, zero,
	    s->origin, s->region, 0, 0, s->row, s->slice, 0, NULL, event);
}

/* Boxes of 8 x 4 x 2 in rows of 64 bytes and slices of 1024. */
static const struct {
	const char *what;
	size_t to[3];
	cl_int code;
} overlaps[] = {
	{ "onto itself", { 0, 0, 0 }, CL_MEM_COPY_OVERLAP },
	{ "overlap in x", { 7, 0, 0 }, CL_MEM_COPY_OVERLAP },
	{ "overlap in y", { 0, 3, 0 }, CL_MEM_COPY_OVERLAP },
	{ "overlap in z", { 0, 0, 1 }, CL_MEM_COPY_OVERLAP },
	{ "overlap in a corner", { 7, 3, 1 }, CL_MEM_COPY_OVERLAP },
	{ "side by side", { 8, 0, 0 }, CL_SUCCESS },
	{ "below each other", { 0, 4, 0 }, CL_SUCCESS },
	{ "behind each other", { 0, 0, 2 }, CL_SUCCESS },
	{ "in each other's rows", { 32, 2, 1 }, CL_SUCCESS },
};

static void
within(struct world *w)
{
	size_t i;

	for (i = 0; i < sizeof(overlaps) / sizeof(overlaps[0]); i++)
		WANT_EVENT(w, overlaps[i].what, clEnqueueCopyBufferRect(
		    w->queue, w->buffer, w->buffer, zero, overlaps[i].to,
		    small, 64, 1024, 64, 1024, 0, NULL, &w->done),
		    overlaps[i].code);
	WANT_EVENT(w, "row pitches that differ", clEnqueueCopyBufferRect(
	    w->queue, w->buffer, w->buffer, zero, overlaps[7].to, small, 64,
	    1024, 32, 1024, 0, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "slice pitches that differ", clEnqueueCopyBufferRect(
	    w->queue, w->buffer, w->buffer, zero, overlaps[7].to, small, 64,
	    1024, 64, 512, 0, NULL, &w->done), CL_INVALID_VALUE);
}

static cl_mem
part(struct world *w, size_t origin)
{
	const cl_buffer_region r = { origin, 2048 };
	cl_int e;
	cl_mem m = clCreateSubBuffer(w->buffer, 0,
	    CL_BUFFER_CREATE_TYPE_REGION, &r, &e);

	must(e, "clCreateSubBuffer");
	return m;
}

static void
parts(struct world *w)
{
	const size_t at[3] = { 0, 16, 0 }, n[3] = { 8, 4, 1 };
	cl_mem a = part(w, 0), b = part(w, 1024);

	WANT_EVENT(w, "overlap of sub-buffers", clEnqueueCopyBufferRect(
	    w->queue, a, b, at, zero, n, 64, 0, 64, 0, 0, NULL, &w->done),
	    CL_MEM_COPY_OVERLAP);
	if (!pocl_crashes(w, "side by side in sub-buffers"))
		WANT_EVENT(w, "side by side in sub-buffers",
		    clEnqueueCopyBufferRect(w->queue, a, b, zero, zero, n, 64,
		    0, 64, 0, 0, NULL, &w->done), CL_SUCCESS);
	clReleaseMemObject(a);
	clReleaseMemObject(b);
}

void
check_clEnqueueCopyBufferRect(struct world *w)
{
	second = world_buffer(w, CL_MEM_HOST_NO_ACCESS, WORLD_SIZE);
	WANT_HANDLE_EVENT(w, "source", cl_mem,
	    copy(w, h, second, &w->done), CL_INVALID_MEM_OBJECT);
	WANT_HANDLE_EVENT(w, "destination", cl_mem,
	    copy(w, second, h, &w->done), CL_INVALID_MEM_OBJECT);
	WANT_EVENT(w, "source of another context",
	    copy(w, w->other_buffer, second, &w->done), CL_INVALID_CONTEXT);
	WANT_EVENT(w, "destination of another context",
	    copy(w, second, w->other_buffer, &w->done), CL_INVALID_CONTEXT);
	if (world_image(w) != NULL) {
		WANT_EVENT(w, "source is an image", copy(w, world_image(w),
		    second, &w->done), CL_INVALID_MEM_OBJECT);
		WANT_EVENT(w, "destination is an image", copy(w, second,
		    world_image(w), &w->done), CL_INVALID_MEM_OBJECT);
	}
	side_cases(w, "source", true, source);
	side_cases(w, "destination", true, destination);
	within(w);
	parts(w);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_COPY_BUFFER_RECT });
	clReleaseMemObject(second);
}
