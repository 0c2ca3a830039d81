/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/linear.h"

static cl_map_flags flags;

/* Map, and say so to the cases: a pointer comes with CL_SUCCESS alone. */
static cl_int
map(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset,
    size_t size, cl_uint n, const cl_event *list, cl_event *event)
{
	cl_int e = 1;
	void *p = clEnqueueMapBuffer(q, m, blocking, flags, offset, size, n,
	    list, event, &e);

	if ((p != NULL) != (e == CL_SUCCESS))
		return 2;
	if (p != NULL)
		clEnqueueUnmapMemObject(q, m, p, 0, NULL, NULL);
	return e;
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return map(q, w->buffer, CL_FALSE, 16, 100, n, list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return map(q, w->buffer, CL_TRUE, 16, 100, n, list, event);
}

static cl_int
range(struct world *w, cl_mem m, size_t offset, size_t size, cl_event *event)
{
	return map(w->queue, m, CL_TRUE, offset, size, 0, NULL, event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return range(w, m, 0, 16, NULL);
}

static cl_uint
map_count(struct world *w)
{
	cl_uint n = 77;

	must(clGetMemObjectInfo(w->buffer, CL_MEM_MAP_COUNT, sizeof(n), &n,
	    NULL), "CL_MEM_MAP_COUNT");
	return n;
}

static cl_int
with_flags(struct world *w, cl_map_flags f, cl_event *event)
{
	flags = f;
	return range(w, w->buffer, 0, 16, event);
}

static void
of_flags(struct world *w)
{
	WANT_EVENT(w, "unknown flags", with_flags(w, NO_SUCH_BIT, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "read and invalidate", with_flags(w, CL_MAP_READ |
	    CL_MAP_WRITE_INVALIDATE_REGION, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "write and invalidate", with_flags(w, CL_MAP_WRITE |
	    CL_MAP_WRITE_INVALIDATE_REGION, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "read and write", with_flags(w, CL_MAP_READ |
	    CL_MAP_WRITE, &w->done), CL_SUCCESS);
	flags = CL_MAP_READ;
	access_cases(w, false, host_access, true, false);
	flags = CL_MAP_WRITE;
	access_cases(w, false, host_access, false, true);
	flags = CL_MAP_WRITE_INVALIDATE_REGION;
	access_cases(w, false, host_access, false, true);
	flags = CL_MAP_READ | CL_MAP_WRITE;
	access_cases(w, false, host_access, true, true);
}

void
check_clEnqueueMapBuffer(struct world *w)
{
	void *p;

	flags = CL_MAP_READ;
	linear_cases(w, range);
	WANT_EVENT(w, "no size", range(w, w->buffer, 0, 0, &w->done),
	    CL_INVALID_VALUE);
	IS(w, "wrong maps are not counted", map_count(w) == 0);
	of_flags(w);
	flags = CL_MAP_READ;
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = CL_COMMAND_MAP_BUFFER });
	IS(w, "no map is left", map_count(w) == 0);
	p = clEnqueueMapBuffer(w->queue, w->buffer, CL_TRUE, CL_MAP_READ, 0,
	    16, 0, NULL, NULL, NULL);
	IS(w, "no place for the code", p != NULL && map_count(w) == 1);
	clEnqueueUnmapMemObject(w->queue, w->buffer, p, 0, NULL, NULL);
}
