/* SPDX-License-Identifier: ISC */
/*
 * move_private - one attempt to move a context; what move.c, which follows
 * orders, move_wait.c, which has contexts wait, move_quiet.c, which holds back
 * the client and lets it go on, move_gather.c, which finds the objects,
 * move_make.c, which makes them again, and move_swap.c share.
 */
#ifndef VGPU_HOSTD_MOVE_PRIVATE_H
#define VGPU_HOSTD_MOVE_PRIVATE_H

#include "hostd/move.h"

#define MOVE_NEW 1	/* the member that the new device is meanwhile */

struct order {
	struct channel_move move;
	unsigned number;	/* of all orders; never 0 */
	unsigned moved;
	int64_t given;		/* or told of last, in ms */
	int64_t not_before;	/* in ms */
	bool told;		/* why what stays does */
};

struct attempt {
	struct serve *serve;
	struct vcontext *context;	/* a reference */
	struct vdevice *from;
	struct vdevice *to;	/* counted as used; NULL: not chosen yet */
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
	/* What the worker's call of the vendor's is for; its deadline, in ms. */
	const char *_Atomic doing;
	atomic_llong until;
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

/*
 * The time that one call of the vendor's may take, in ms, many times that for
 * what compiles; where serve_start does not say.  All of them together may take
 * as long as they like: contents are copied in parts, so what makes progress is
 * not ended.
 */
#define MOVE_STEP_MS 60000
#define MOVE_BUILD_STEPS 10

/* The worker is about to call the vendor for this; builds: with a compiler. */
void move_step(struct attempt *, const char *doing, bool builds);

/* Make everything in MOVE_NEW, in a worker; false: code and what say why. */
bool move_make(struct attempt *);

/*
 * All is made: it takes the place of what was, which is in MOVE_NEW then.  In
 * the loop.
 */
void move_swap(struct attempt *);

/* Release what is in MOVE_NEW. */
void move_drop(struct attempt *);

/* ---- move_quiet.c ------------------------------------------------------ */

/* Try to move a context that can move. */
void move_begin(struct serve *, struct vcontext *, struct order *);

/* The timer has ended; false: nothing is under way. */
bool move_go_on(struct serve *);

/* ---- move.c ------------------------------------------------------------ */

/* Look again in so many milliseconds. */
void move_set_timer(struct serve *, int64_t ms);

/* Log and tell the parent: moved to a device, or (MOVE_ANYWHERE) not. */
void move_tell(struct serve *, const struct channel_move *, uint32_t to,
    bool again, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The order that it follows; NULL: it does not hold any more. */
struct order *move_order_of(const struct attempt *);
struct order *move_numbered(unsigned number);
void move_forget(struct order *);
/* It did. */
void move_followed(const struct attempt *);

/* The context stays until all are tried again. */
void move_leave(struct serve *, struct vcontext *, const struct order *,
    const char *why);
/* Why it has no other device to go to. */
const char *move_why_alone(const struct vcontext *);

/* ---- move_wait.c ------------------------------------------------------- */

/* Is it time to try this one?  If not, *next falls to when it is. */
bool move_may_try(const struct vcontext *, const struct order *,
    int64_t *next);

/* For how long its client may be held back until it is quiet. */
int64_t move_hold_ms(const struct vcontext *, const struct order *);

/* It has to wait: for something that its client does; or it was held long. */
void move_delayed(struct serve *, struct vcontext *, struct order *,
    const char *why);
void move_too_long(struct serve *, struct vcontext *, struct order *);

/* All have to wait for a moment.  Afterwards the order may be forgotten. */
void move_come_back(struct serve *, struct order *, const char *why);

#endif
