/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

typedef cl_int function(cl_semaphore_khr);

void
check_clReleaseSemaphoreKHR(struct world *w)
{
	function *f = (function *)extension(w, SEMAPHORES,
	    "clReleaseSemaphoreKHR");

	if (f == NULL)
		return;
	WANT_HANDLE(w, "semaphore", cl_semaphore_khr, f(h),
	    CL_INVALID_SEMAPHORE_KHR);
	WANT(w, "a semaphore", f(semaphore_open(w, w->context)), CL_SUCCESS);
}
