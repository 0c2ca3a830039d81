/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

void
check_clMemFreeINTEL(struct world *w)
{
	const clMemFreeINTEL_fn call = (clMemFreeINTEL_fn)extension(w,
	    USM, "clMemFreeINTEL");
	char *p, local[16];

	if (call == NULL)
		return;
	p = usm_alloc(w, 4096);
	WANT_HANDLE(w, "context", cl_context, call(h, p), CL_INVALID_CONTEXT);
	WANT(w, "memory of the program's", call(w->context, local),
	    CL_INVALID_VALUE);
	WANT(w, "a pointer into an allocation", call(w->context, p + 64),
	    CL_INVALID_VALUE);
	WANT(w, "a null pointer", call(w->context, NULL), CL_SUCCESS);
	WANT(w, "an allocation", call(w->context, p), CL_SUCCESS);
}
