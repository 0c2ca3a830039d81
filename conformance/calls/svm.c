/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

static char *memory;

bool
no_svm(struct world *w)
{
	if (older(w, 20))
		return true;
	if (world_info(w, CL_DEVICE_SVM_CAPABILITIES) &
	    CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)
		return false;
	skip(w, "all", "no SVM");
	return true;
}

char *
world_svm(struct world *w)
{
	const char zero = 0;

	if (memory != NULL)
		return memory;
	memory = clSVMAlloc(w->context, 0, WORLD_SIZE, 0);
	must(memory != NULL ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE,
	    "clSVMAlloc");
	must(clEnqueueSVMMemFill(w->queue, memory, &zero, 1, WORLD_SIZE, 0,
	    NULL, NULL), "clEnqueueSVMMemFill");
	return memory;
}

void
world_svm_free(struct world *w)
{
	clFinish(w->queue);
	clSVMFree(w->context, memory);
	memory = NULL;
}
