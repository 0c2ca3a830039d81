/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(command_buffer);

void
check_clRetainCommandBufferKHR(struct world *w)
{
	function *f = (function *)buffer_function(w, BUFFERS,
	    "clRetainCommandBufferKHR");
	command_buffer b;

	if (f == NULL)
		return;
	WANT_HANDLE(w, "command buffer", command_buffer, f(h),
	    CL_INVALID_COMMAND_BUFFER_KHR);
	b = recording_open(w, 0);
	WANT(w, "a command buffer", f(b), CL_SUCCESS);
	recording_close(w, b);
	recording_finalize(w, b);
	recording_close(w, b);
}
