/* SPDX-License-Identifier: ISC */
/*
 * defect - right calls that crash a vendor's library, and with it the session
 * of whoever makes them through vgpu.
 */
#ifndef VGPU_CONFORMANCE_CALLS_DEFECT_H
#define VGPU_CONFORMANCE_CALLS_DEFECT_H

#include "conformance/calls/calls.h"

/* Is the device PoCL 3's, which crashes at this?  Says so by skip. */
bool pocl_crashes(struct world *, const char *what);

#endif
