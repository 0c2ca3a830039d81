/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

void
check_clEnqueueSignalSemaphoresKHR(struct world *w)
{
	semaphores_function *f = (semaphores_function *)extension(w,
	    SEMAPHORES, "clEnqueueSignalSemaphoresKHR");

	if (f != NULL)
		semaphores_cases(w, f, CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
		    false);
}
