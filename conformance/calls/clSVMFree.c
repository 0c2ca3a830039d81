/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

/* It returns nothing; what it is given wrongly must do no harm. */
void
check_clSVMFree(struct world *w)
{
	char *p;

	if (no_svm(w))
		return;
	p = world_svm(w);
	clSVMFree(NULL, p);
	clSVMFree(w->context, NULL);
	WANT(w, "memory is there after wrong frees", clEnqueueSVMMemFill(
	    w->queue, p, "abcd", 4, 16, 0, NULL, NULL), CL_SUCCESS);
	WANT(w, "and all is done", clFinish(w->queue), CL_SUCCESS);
	world_svm_free(w);
	IS(w, "freed memory can be allocated again", world_svm(w) != NULL);
	world_svm_free(w);
}
