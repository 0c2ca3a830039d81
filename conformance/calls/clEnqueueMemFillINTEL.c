/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/usm.h"

static clEnqueueMemFillINTEL_fn call;
static char *memory;
static const char pattern[256];

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return call(q, memory, pattern, 4, 64, n, list, event);
}

static cl_int
fill(struct world *w, void *p, const void *what, size_t n, size_t size)
{
	return call(w->queue, p, what, n, size, 0, NULL, &w->done);
}

void
check_clEnqueueMemFillINTEL(struct world *w)
{
	const struct enqueue e = { .run = run,
		.type = CL_COMMAND_MEMFILL_INTEL, .no_objects = true };

	call = (clEnqueueMemFillINTEL_fn)extension(w, USM,
	    "clEnqueueMemFillINTEL");
	if (call == NULL)
		return;
	memory = usm_alloc(w, 4096);
	WANT_EVENT(w, "to nowhere", fill(w, NULL, pattern, 4, 64),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "uneven address", fill(w, memory + 2, pattern, 4, 64),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern nowhere", fill(w, memory, NULL, 4, 64),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of no bytes", fill(w, memory, pattern, 0, 64),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of three bytes", fill(w, memory, pattern, 3,
	    63), CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern too long", fill(w, memory, pattern, 256, 256),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "uneven size", fill(w, memory, pattern, 8, 60),
	    CL_INVALID_VALUE);
	enqueue_cases(w, &e);
	must(clFinish(w->queue), "clFinish");
	usm_free(w, memory);
}
