/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/enqueue.h"
#include "conformance/calls/linear.h"

static char host[2 * WORLD_SIZE];

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueWriteBuffer(q, w->buffer, CL_FALSE, 16, 100, host, n,
	    list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return clEnqueueWriteBuffer(q, w->buffer, CL_TRUE, 16, 100, host, n,
	    list, event);
}

static cl_int
range(struct world *w, cl_mem m, size_t offset, size_t size, cl_event *event)
{
	return clEnqueueWriteBuffer(w->queue, m, CL_TRUE, offset, size, host, 0,
	    NULL, event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return clEnqueueWriteBuffer(w->queue, m, CL_TRUE, 0, 16, host, 0, NULL,
	    NULL);
}

static bool
all_is(struct world *w, char c)
{
	char got[WORLD_SIZE];
	size_t i;

	must(clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof(got),
	    got, 0, NULL, NULL), "clEnqueueReadBuffer");
	for (i = 0; i < sizeof(got); i++)
		if (got[i] != c)
			return false;
	return true;
}

void
check_clEnqueueWriteBuffer(struct world *w)
{
	memset(host, 7, sizeof(host));
	must(range(w, w->buffer, 0, WORLD_SIZE, NULL), "clEnqueueWriteBuffer");
	memset(host, 9, sizeof(host));
	WANT_EVENT(w, "no source", clEnqueueWriteBuffer(w->queue, w->buffer,
	    CL_TRUE, 0, 16, NULL, 0, NULL, &w->done), CL_INVALID_VALUE);
	range(w, w->buffer, WORLD_SIZE - 8, 16, NULL);
	clEnqueueWriteBuffer(w->queue, w->buffer, CL_TRUE, 0, 16, host, 1,
	    NULL, NULL);
	WANT_EVENT(w, "nothing", range(w, w->buffer, 16, 0, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "nothing, at the end",
	    range(w, w->buffer, WORLD_SIZE, 0, &w->done), CL_SUCCESS);
	IS(w, "wrong writes and writes of nothing change nothing",
	    all_is(w, 7));
	linear_cases(w, range);
	access_cases(w, false, host_access, false, true);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = CL_COMMAND_WRITE_BUFFER });
}
