/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

void
check_clSetKernelArgMemPointerINTEL(struct world *w)
{
	const clSetKernelArgMemPointerINTEL_fn call =
	    (clSetKernelArgMemPointerINTEL_fn)extension(w, USM,
	    "clSetKernelArgMemPointerINTEL");
	cl_kernel k;
	char *p;

	if (call == NULL)
		return;
	k = world_kernel(w);
	p = usm_alloc(w, 4096);
	WANT_HANDLE(w, "kernel", cl_kernel, call(h, 0, p),
	    CL_INVALID_KERNEL);
	WANT(w, "no such argument", call(k, 3, p), CL_INVALID_ARG_INDEX);
	WANT(w, "an argument that is a number", call(k, 1, p),
	    CL_INVALID_ARG_VALUE);
	WANT(w, "an argument of local memory", call(k, 2, p),
	    CL_INVALID_ARG_VALUE);
	WANT(w, "a null pointer", call(k, 0, NULL), CL_SUCCESS);
	WANT(w, "a pointer", call(k, 0, p), CL_SUCCESS);
	WANT(w, "a pointer into an allocation", call(k, 0, p + 64),
	    CL_SUCCESS);
	usm_free(w, p);
}
