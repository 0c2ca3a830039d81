/* SPDX-License-Identifier: ISC */
#include "conformance/calls/rect_transfer.h"

void
check_clEnqueueReadBufferRect(struct world *w)
{
	rect_transfer_cases(w, clEnqueueReadBufferRect, true);
}
