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
 * before are in bound already.  NULL: nothing new may run on it, or on any
 * member of it.  Its use is counted until bind_end.
 */
struct vdevice *bind_begin(struct serve *, const struct span *list, unsigned i,
    struct vdevice *const *bound);

/*
 * The devices on which nothing new may run, a bit for each, as the parent
 * numbers them.
 */
void bind_shut(const uint8_t bits[POOL_DEVICES_MAX / 8]);
bool bind_is_shut(uint32_t device);

/* Is there another device that could run a context of one device? */
bool bind_has_other(const struct serve *, const struct vcontext *);

/*
 * Another device for a context of one device: to, by its number, or any; of the
 * class that its client named, or with the tenant's consent of another one.
 * NULL: there is none.  The use of it is counted until bind_end.
 */
struct vdevice *bind_elsewhere(struct serve *, const struct vcontext *,
    uint32_t to);

/* A context does not use it any more. */
void bind_end(const struct vdevice *);

/*
 * What runs in a context the commands for a device that the client named: what
 * was chosen for it, or the device itself; NULL for NULL.
 */
struct vdevice *bind_find(const struct vcontext *, struct vdevice *);

#endif
