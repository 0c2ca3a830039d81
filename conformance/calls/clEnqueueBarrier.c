/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clEnqueueBarrier(struct world *w)
{
	WANT_HANDLE(w, "queue", cl_command_queue, clEnqueueBarrier(h),
	    CL_INVALID_COMMAND_QUEUE);
	WANT(w, "a barrier", clEnqueueBarrier(w->queue), CL_SUCCESS);
	WANT(w, "it ends", clFinish(w->queue), CL_SUCCESS);
}
