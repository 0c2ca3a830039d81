/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/enqueue.h"
#include "conformance/calls/linear.h"

static char host[2 * WORLD_SIZE];

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueReadBuffer(q, w->buffer, CL_FALSE, 16, 100, host, n,
	    list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return clEnqueueReadBuffer(q, w->buffer, CL_TRUE, 16, 100, host, n,
	    list, event);
}

static cl_int
range(struct world *w, cl_mem m, size_t offset, size_t size, cl_event *event)
{
	return clEnqueueReadBuffer(w->queue, m, CL_TRUE, offset, size, host, 0,
	    NULL, event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return clEnqueueReadBuffer(w->queue, m, CL_TRUE, 0, 16, host, 0, NULL,
	    NULL);
}

static bool
is_untouched(void)
{
	size_t i;

	for (i = 0; i < sizeof(host); i++)
		if (host[i] != 0x5a)
			return false;
	return true;
}

void
check_clEnqueueReadBuffer(struct world *w)
{
	memset(host, 0x5a, sizeof(host));
	WANT_EVENT(w, "no place", clEnqueueReadBuffer(w->queue, w->buffer,
	    CL_TRUE, 0, 16, NULL, 0, NULL, &w->done), CL_INVALID_VALUE);
	clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, WORLD_SIZE - 8, 16,
	    host, 0, NULL, NULL);
	clEnqueueReadBuffer(w->queue, w->other_buffer, CL_TRUE, 0, 16, host,
	    0, NULL, NULL);
	clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, 16, host, 1,
	    NULL, NULL);
	IS(w, "wrong reads touch nothing", is_untouched());
	linear_cases(w, range);
	access_cases(w, false, host_access, true, false);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = CL_COMMAND_READ_BUFFER });
	memset(host, 0x5a, sizeof(host));
	WANT_EVENT(w, "nothing", clEnqueueReadBuffer(w->queue, w->buffer,
	    CL_TRUE, 16, 0, host, 0, NULL, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "nothing, at the end", clEnqueueReadBuffer(w->queue,
	    w->buffer, CL_TRUE, WORLD_SIZE, 0, host, 0, NULL, &w->done),
	    CL_SUCCESS);
	IS(w, "reads of nothing touch nothing", is_untouched());
}
