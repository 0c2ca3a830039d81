/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(RECORDER, cl_mem, cl_mem, size_t, size_t,
    size_t, RECORDED);

static cl_int
run(struct world *w, void *f, const struct recorded *r)
{
	cl_mem m = r->foreign ? w->other_buffer : w->buffer;

	return ((function *)f)(RECORDED_BY(r), m, m, 0, 64, 64,
	    RECORDED_WITH(r));
}

void
check_clCommandCopyBufferKHR(struct world *w)
{
	record_cases(w, &(struct record){ .run = run,
	    .name = "clCommandCopyBufferKHR" });
}
