/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

/* A map to be undone; its queue has nothing to wait for. */
static void *
map(struct world *w)
{
	cl_int e;
	void *p = clEnqueueMapBuffer(w->queue, w->buffer, CL_TRUE,
	    CL_MAP_WRITE, 16, 100, 0, NULL, NULL, &e);

	must(e, "clEnqueueMapBuffer");
	return p;
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueUnmapMemObject(q, w->buffer, map(w), n, list, event);
}

static cl_int
unmap(struct world *w, cl_mem m, void *p, cl_event *event)
{
	return clEnqueueUnmapMemObject(w->queue, m, p, 0, NULL, event);
}

static void
pipes(struct world *w, void *p)
{
	cl_mem pipe;
	cl_int e;

	if (w->version < 20)
		return;
	pipe = clCreatePipe(w->context, 0, 4, 4, NULL, &e);
	if (e == CL_SUCCESS)
		WANT_EVENT(w, "a pipe", unmap(w, pipe, p, &w->done),
		    CL_INVALID_MEM_OBJECT);
}

void
check_clEnqueueUnmapMemObject(struct world *w)
{
	cl_mem second = world_buffer(w, 0, WORLD_SIZE);
	char *p = map(w);
	char mine[16];

	WANT_HANDLE_EVENT(w, "object", cl_mem, unmap(w, h, p, &w->done),
	    CL_INVALID_MEM_OBJECT);
	pipes(w, p);
	WANT_EVENT(w, "object of another context",
	    unmap(w, w->other_buffer, p, &w->done), CL_INVALID_CONTEXT,
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "no pointer", unmap(w, w->buffer, NULL, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "a pointer that is no map's",
	    unmap(w, w->buffer, mine, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "a pointer into a map",
	    unmap(w, w->buffer, p + 1, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "another object's map",
	    unmap(w, second, p, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "a map", unmap(w, w->buffer, p, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "the same map again",
	    unmap(w, w->buffer, p, &w->done), CL_INVALID_VALUE);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_UNMAP_MEM_OBJECT });
	clReleaseMemObject(second);
}
