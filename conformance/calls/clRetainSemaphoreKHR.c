/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

typedef cl_int function(cl_semaphore_khr);

void
check_clRetainSemaphoreKHR(struct world *w)
{
	function *f = (function *)extension(w, SEMAPHORES,
	    "clRetainSemaphoreKHR");
	cl_semaphore_khr s;

	if (f == NULL)
		return;
	WANT_HANDLE(w, "semaphore", cl_semaphore_khr, f(h),
	    CL_INVALID_SEMAPHORE_KHR);
	s = semaphore_open(w, w->context);
	WANT(w, "a semaphore", f(s), CL_SUCCESS);
	semaphore_close(w, s);
	semaphore_close(w, s);
}
