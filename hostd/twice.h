/* SPDX-License-Identifier: ISC */
/*
 * twice - a vendor's call that is made again where it has failed, once.
 *
 * For calls that change nothing when they fail, and of which much hangs on one
 * answer: what is kept with a program or told of a device, and what lets others
 * go on.  The vendor may have been short of something for a moment.
 */
#ifndef VGPU_HOSTD_TWICE_H
#define VGPU_HOSTD_TWICE_H

#include <CL/cl.h>

/* The code of the last one. */
#define TWICE(call) ((call) == CL_SUCCESS ? CL_SUCCESS : (call))

#endif
