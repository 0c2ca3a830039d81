/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

#include <stdio.h>

static const char pattern[256];

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueSVMMemFill(q, world_svm(w), pattern, 4, 128, n, list,
	    event);
}

static cl_int
fill(struct world *w, void *p, size_t pattern_size, size_t size,
    cl_event *event)
{
	return clEnqueueSVMMemFill(w->queue, p, pattern, pattern_size, size, 0,
	    NULL, event);
}

static void
patterns(struct world *w, char *p)
{
	char what[64];
	size_t n;

	WANT_EVENT(w, "no pattern", clEnqueueSVMMemFill(w->queue, p, NULL, 4,
	    16, 0, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of no size", fill(w, p, 0, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of 3 bytes", fill(w, p, 3, 12, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of 256 bytes", fill(w, p, 256, 256, &w->done),
	    CL_INVALID_VALUE);
	for (n = 1; n <= 128; n *= 2) {
		snprintf(what, sizeof(what), "pattern of %zu bytes", n);
		WANT_EVENT(w, what, fill(w, p + n, n, 2 * n, &w->done),
		    CL_SUCCESS);
	}
	for (n = 2; n <= 128; n *= 2) {
		snprintf(what, sizeof(what), "pointer not of %zu bytes", n);
		WANT_EVENT(w, what, fill(w, p + n / 2, n, 2 * n, &w->done),
		    CL_INVALID_VALUE);
		snprintf(what, sizeof(what), "size not of %zu bytes", n);
		WANT_EVENT(w, what, fill(w, p, n, n + n / 2, &w->done),
		    CL_INVALID_VALUE);
	}
}

void
check_clEnqueueSVMMemFill(struct world *w)
{
	if (no_svm(w))
		return;
	WANT_EVENT(w, "no pointer", fill(w, NULL, 4, 16, &w->done),
	    CL_INVALID_VALUE);
	patterns(w, world_svm(w));
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_SVM_MEMFILL });
	world_svm_free(w);
}
