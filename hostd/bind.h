/* SPDX-License-Identifier: ISC */
/*
 * bind - which devices of the pool run a context.
 *
 * A program names the devices that it was shown.  Of each class device among
 * them one member is chosen here, once, when the context is made: by the
 * parent, which knows what else runs where, among those that can be in one
 * context with the others.
 */
#ifndef VGPU_HOSTD_BIND_H
#define VGPU_HOSTD_BIND_H

#include "hostd/serve.h"

/*
 * The device that stands for number i of a list of devices, of which those
 * before are in bound already.  NULL: no member fits to the others.  The use of
 * it is counted until bind_end.
 */
struct vdevice *bind_begin(struct serve *, const struct span *list, unsigned i,
    struct vdevice *const *bound);

/* A context does not use it any more. */
void bind_end(const struct vdevice *);

/*
 * What runs in a context the commands for a device that the client named: the
 * member that was chosen, or the device itself; NULL for NULL.
 */
struct vdevice *bind_find(const struct vcontext *, struct vdevice *);

#endif
