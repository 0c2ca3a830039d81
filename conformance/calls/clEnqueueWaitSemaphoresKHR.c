/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

void
check_clEnqueueWaitSemaphoresKHR(struct world *w)
{
	semaphores_function *f = (semaphores_function *)extension(w,
	    SEMAPHORES, "clEnqueueWaitSemaphoresKHR");

	if (f != NULL)
		semaphores_cases(w, f, CL_COMMAND_SEMAPHORE_WAIT_KHR, true);
}
