/* SPDX-License-Identifier: ISC */
#include "conformance/calls/image_transfer.h"

void
check_clEnqueueReadImage(struct world *w)
{
	image_transfer_cases(w, clEnqueueReadImage, true);
}
