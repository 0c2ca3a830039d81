/* SPDX-License-Identifier: ISC */
#include "conformance/calls/rect_transfer.h"

#include "conformance/calls/enqueue.h"
#include "conformance/calls/linear.h"
#include "conformance/calls/rects.h"

static const size_t zero[3] = { 0, 0, 0 }, small[3] = { 8, 4, 2 };
static char host[2 * WORLD_SIZE];
static rect_function *call;

static cl_int
transfer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return call(q, m, blocking, zero, zero, small, 0, 0,
	    0, 0, host, n, list, event);
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return transfer(q, w->buffer, CL_FALSE, n, list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return transfer(q, w->buffer, CL_TRUE, n, list, event);
}

static cl_int
in_buffer(struct world *w, const struct side *s, cl_event *event)
{
	return call(w->queue, w->buffer, CL_TRUE, s->origin,
	    zero, s->region, s->row, s->slice, 0, 0, host, 0, NULL, event);
}

static cl_int
in_memory(struct world *w, const struct side *s, cl_event *event)
{
	return call(w->queue, w->buffer, CL_TRUE, zero,
	    s->origin, s->region, 0, 0, s->row, s->slice, host, 0, NULL,
	    event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return transfer(w->queue, m, CL_TRUE, 0, NULL, NULL);
}

void
rect_transfer_cases(struct world *w, rect_function *f, bool reads)
{
	call = f;
	WANT_HANDLE_EVENT(w, "buffer", cl_mem,
	    transfer(w->queue, h, CL_TRUE, 0, NULL, &w->done),
	    CL_INVALID_MEM_OBJECT);
	if (world_image(w) != NULL)
		WANT_EVENT(w, "an image", transfer(w->queue, world_image(w),
		    CL_TRUE, 0, NULL, &w->done), CL_INVALID_MEM_OBJECT);
	WANT_EVENT(w, "buffer of another context", transfer(w->queue,
	    w->other_buffer, CL_TRUE, 0, NULL, &w->done), CL_INVALID_CONTEXT);
	WANT_EVENT(w, "no memory", call(w->queue, w->buffer,
	    CL_TRUE, zero, zero, small, 0, 0, 0, 0, NULL, 0, NULL, &w->done),
	    CL_INVALID_VALUE);
	side_cases(w, "buffer", true, in_buffer);
	side_cases(w, "memory", false, in_memory);
	access_cases(w, false, host_access, reads, !reads);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = reads ?
	    CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT });
}
