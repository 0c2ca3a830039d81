/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

typedef cl_semaphore_khr function(cl_context, const cl_ulong *, cl_int *);

#define TYPE CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR
#define DEVICE(d) CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, \
	(cl_ulong)(uintptr_t)(d), 0

void
check_clCreateSemaphoreWithPropertiesKHR(struct world *w)
{
	const cl_ulong right[] = { TYPE, 0 }, with[] = { TYPE,
		DEVICE(w->device), 0 };
	const cl_ulong untyped[] = { DEVICE(w->device), 0 };
	const cl_ulong wrong[] = { TYPE, DEVICE(w->context), 0 };
	const cl_ulong stranger[] = { TYPE, DEVICE(w->stranger), 0 };
	const cl_ulong unknown[] = { TYPE, NO_SUCH_NAME, 1, 0 };
	const cl_ulong no_type[] = { CL_SEMAPHORE_TYPE_KHR, 77, 0 };
	const cl_ulong twice[] = { TYPE, TYPE, 0 };
	function *f = (function *)extension(w, SEMAPHORES,
	    "clCreateSemaphoreWithPropertiesKHR");
	cl_semaphore_khr s = NULL;

	if (f == NULL)
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, f(h, right, &w->err),
	    CL_INVALID_CONTEXT);
	WANT_NEW(w, "no properties", f(w->context, NULL, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "no type", f(w->context, untyped, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a type that there is not", f(w->context, no_type,
	    &w->err), CL_INVALID_PROPERTY);
	WANT_NEW(w, "a property that there is not", f(w->context, unknown,
	    &w->err), CL_INVALID_PROPERTY);
	WANT_NEW(w, "a property twice", f(w->context, twice, &w->err),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "what is no device", f(w->context, wrong, &w->err),
	    CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "a device of another context", f(w->context,
		    stranger, &w->err), CL_INVALID_DEVICE);
	WANT_NEW(w, "a semaphore", s = f(w->context, right, &w->err),
	    CL_SUCCESS);
	semaphore_close(w, s);
	WANT_NEW(w, "one of a device", s = f(w->context, with, &w->err),
	    CL_SUCCESS);
	semaphore_close(w, s);
	IS(w, "without a place for the code", (s = f(w->context, right,
	    NULL)) != NULL);
	semaphore_close(w, s);
}
