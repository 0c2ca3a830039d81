/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(RECORDER, cl_mem, cl_mem, const size_t *,
    const size_t *, const size_t *, size_t, size_t, size_t, size_t,
    RECORDED);

static cl_int
run(struct world *w, void *f, const struct recorded *r)
{
	const size_t from[3] = { 0 }, to[3] = { 0, 8, 0 };
	const size_t region[3] = { 4, 4, 1 };
	cl_mem m = r->foreign ? w->other_buffer : w->buffer;

	return ((function *)f)(RECORDED_BY(r), m, m, from, to, region,
	    8, 0, 8, 0, RECORDED_WITH(r));
}

void
check_clCommandCopyBufferRectKHR(struct world *w)
{
	record_cases(w, &(struct record){ .run = run,
	    .name = "clCommandCopyBufferRectKHR" });
}
