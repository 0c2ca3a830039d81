/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(RECORDER, cl_mem, const void *,
    const size_t *, const size_t *, RECORDED);

static cl_int
run(struct world *w, void *f, const struct recorded *r)
{
	const float color[4] = { 0 };
	const size_t origin[3] = { 0 }, region[3] = { 2, 2, 1 };
	cl_mem m = r->foreign ? world_other_image(w) : world_image(w);

	return ((function *)f)(RECORDED_BY(r), m, color, origin,
	    region, RECORDED_WITH(r));
}

void
check_clCommandFillImageKHR(struct world *w)
{
	if (world_image(w) == NULL) {
		skip(w, "all", "the device has no images");
		return;
	}
	record_cases(w, &(struct record){ .run = run,
	    .name = "clCommandFillImageKHR" });
}
