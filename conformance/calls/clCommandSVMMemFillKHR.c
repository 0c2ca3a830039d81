/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(RECORDER, void *, const void *, size_t,
    size_t, RECORDED);

static char *p;

static cl_int
run(struct world *w, void *f, const struct recorded *r)
{
	(void)w;
	return ((function *)f)(RECORDED_BY(r), p, "abcd", 4, 64,
	    RECORDED_WITH(r));
}

void
check_clCommandSVMMemFillKHR(struct world *w)
{
	if (world_info(w, CL_DEVICE_SVM_CAPABILITIES) == 0) {
		skip(w, "all", "the device has no SVM");
		return;
	}
	p = clSVMAlloc(w->context, CL_MEM_READ_WRITE, WORLD_SIZE, 0);
	must(p == NULL ? CL_OUT_OF_RESOURCES : CL_SUCCESS, "clSVMAlloc");
	record_cases(w, &(struct record){ .run = run, .no_objects = true,
	    .name = "clCommandSVMMemFillKHR" });
	clSVMFree(w->context, p);
}
