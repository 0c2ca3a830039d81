/* SPDX-License-Identifier: ISC */
/*
 * remake - native objects made again in a member, from their recipes.
 *
 * For a context that moves (move.h): its new device is a member of it for a
 * while, by number only.  Each function makes what is not there and nothing
 * else; it may wait for the vendor.  Memory objects have member_mem_make
 * (member.h), kernels kernel_member_again (kernel_member.h).
 */
#ifndef VGPU_HOSTD_REMAKE_H
#define VGPU_HOSTD_REMAKE_H

#include "hostd/object.h"

struct vprogram;

/* The message that made an object; false: it was another one, or none. */
bool recipe_decode(const struct vobj *, const struct message *, void *out);

/* A context of this device alone. */
cl_int context_remake(struct vcontext *, unsigned member,
    const struct vdevice *);

/* In the member's context, with the same properties. */
cl_int queue_remake(struct vqueue *, unsigned member, const struct vdevice *);
cl_int sampler_remake(struct vobj *, const struct vcontext *,
    unsigned member);

/* Made of the same, and built as it was last built. */
cl_int program_remake(struct vprogram *, unsigned member,
    const struct vdevice *);

/* That takes a device of the same class: it is made of a binary. */
bool program_is_for_class(const struct vprogram *);

#endif
