/* SPDX-License-Identifier: ISC */
/*
 * move_private - one attempt to move a context; what move.c, which finds the
 * time for it, move_gather.c, which finds the objects, and move_make.c, which
 * makes them again, share.
 */
#ifndef VGPU_HOSTD_MOVE_PRIVATE_H
#define VGPU_HOSTD_MOVE_PRIVATE_H

#include "hostd/move.h"

#define MOVE_NEW 1	/* the member that the new device is meanwhile */

struct attempt {
	struct serve *serve;
	struct vcontext *context;	/* a reference */
	struct vdevice *from, *to;	/* to is counted as used */
	struct channel_move order;
	/* Its objects, each a reference. */
	struct vobj **object;
	size_t count, room;
	bool failed;		/* no memory to gather them */
	unsigned markers;	/* of queues that are not empty yet */
	bool abandoned;		/* it took too long */
	bool quiet;		/* they are empty */
	int64_t held_ns;	/* since when the client waits */
	cl_event ended;		/* in the new context: complete */
	cl_int code;		/* of what could not be made */
	const char *what;
	uint64_t bytes;		/* copied */
	unsigned programs;
};

/* Fill in the objects of the attempt's context. */
void move_gather(struct attempt *);
void move_ungather(struct attempt *);

/* The context that an object belongs to; NULL: none, or it was never made. */
struct vcontext *move_context_of(const struct serve *, struct vobj *);

/* Why the context can't be moved as it is; NULL: it can.  After gathering. */
const char *move_obstacle(const struct attempt *);

/* Why it can't be moved now, but later; NULL: it can.  After gathering. */
const char *move_delay(const struct attempt *);

/* Is the new device of the same class as the old one? */
bool move_is_alike(const struct attempt *);

/* Make everything in MOVE_NEW, in a worker; false: code and what say why. */
bool move_make(struct attempt *);

/*
 * All is made: it takes the place of what was, which is in MOVE_NEW then.  In
 * the loop.
 */
void move_swap(struct attempt *);

/* Release what is in MOVE_NEW. */
void move_drop(struct attempt *);

#endif
