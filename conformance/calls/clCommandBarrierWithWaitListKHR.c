/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(RECORDER, RECORDED);

static cl_int
run(struct world *w, void *f, const struct recorded *r)
{
	(void)w;
	return ((function *)f)(RECORDED_BY(r), RECORDED_WITH(r));
}

void
check_clCommandBarrierWithWaitListKHR(struct world *w)
{
	record_cases(w, &(struct record){ .run = run,
	    .name = "clCommandBarrierWithWaitListKHR",
	    .no_objects = true });
}
