/* SPDX-License-Identifier: ISC */
/*
 * exec_program - programs on the host.
 *
 * A build runs on a thread of its own, so that the loop goes on; whatever
 * needs the program meanwhile waits for it with vprogram_settle.
 */
#ifndef VGPU_HOSTD_EXEC_PROGRAM_H
#define VGPU_HOSTD_EXEC_PROGRAM_H

#include "hostd/serve.h"

struct vprogram {
	struct vobj o;
	struct vcontext *context;
	unsigned device_count;
	struct vdevice **devices;	/* in the client's order */
	bool from_source;		/* options reach a compiler */
	pthread_mutex_t lock;
	pthread_cond_t settled;
	bool building;
};

/* Wait until no build of the program is under way. */
void vprogram_settle(struct vprogram *);

/* Under the client's id; n devices, or all of the context's when list->n is
 * 0.  NULL: the call or the connection has failed. */
struct vprogram *vprogram_new(struct serve *, struct call *, uint64_t id,
    struct vcontext *, const struct span *list);

/* Native devices of a list of the message, or all of the program's. */
unsigned vprogram_devices(const struct vprogram *, const struct span *list,
    cl_device_id *out, unsigned max);

#define PROGRAM_DEVICES_MAX 256

#endif
