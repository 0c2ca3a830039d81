/* SPDX-License-Identifier: ISC */
/*
 * lost - a vendor's answer says that a device is not available any more.
 *
 * The client gets that error as any other.  The parent is told, too: it looks
 * for devices, and what it finds to be gone goes the way of what leaves the
 * pool (move.h).
 */
#ifndef VGPU_HOSTD_LOST_H
#define VGPU_HOSTD_LOST_H

#include "hostd/serve.h"

/*
 * A command, build or object of this device ended with a code, any code; from
 * any thread.
 */
void lost_note(struct serve *, const struct vdevice *, cl_int code);

/* The same of a call that has failed, if it has a device. */
void lost_note_call(struct serve *, const struct call *, cl_int code);

#endif
