/* SPDX-License-Identifier: ISC */
/*
 * object - the host's side of a client's objects.
 *
 * An object is virtual: it stands for one native object in each member, that
 * is each vendor's context, of its context (member.h).  Code asks for the native
 * object of the member that its queue belongs to and never assumes a number.
 *
 * An object keeps its recipe, the message that made it, from which it can be
 * made again elsewhere.  One whose making failed is poisoned: it keeps its id,
 * and what uses it fails with its error.
 *
 * References are counted, as callbacks of the vendor's threads use objects
 * that the client has released.
 */
#ifndef VGPU_HOSTD_OBJECT_H
#define VGPU_HOSTD_OBJECT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "common/infoset.h"
#include "protocol/messages.h"

#define MEMBERS_MAX 8

struct access;
struct serve;
struct call;
struct member;
struct meter;
struct mixed_queue;

struct recipe {
	unsigned number;	/* of the message */
	size_t len;
	uint64_t body[];
};

struct vobj {
	enum obj_kind kind;
	bool gathered;		/* by who moves its context; move_gather.c */
	uint64_t id;		/* 0: not in the table (any more) */
	cl_int error;		/* poisoned; of events: under serve's lock */
	atomic_uint refs;
	struct recipe *recipe;	/* may be NULL */
	void (*fini)(struct vobj *);	/* releases the native objects */
	void *native[MEMBERS_MAX];
};

/*
 * A class device has members, which the client does not know; it is never
 * opened itself, but those that contexts are bound to are.
 */
struct vdevice {
	struct vobj o;
	const struct pool_device *pool;	/* of the root device, first member */
	cl_device_id device;	/* NULL until its vendor is loaded */
	struct vdevice *parent;	/* of a sub-device */
	struct vdevice *class;	/* of a member */
	struct vdevice **member;
	unsigned member_count;	/* 0: no class device */
	struct vdevice *bound;	/* of a class: the last one chosen, or NULL */
};

/* What a context waits for that is to move; move_wait.c's. */
struct move_wait {
	unsigned order;		/* for which the others are; 0: none */
	unsigned tries;		/* that took too long */
	int64_t delay;		/* of the last try that found it busy, in ms */
	int64_t until;		/* in ms */
};

struct vcontext {
	struct vobj o;
	struct serve *serve;
	uint64_t gone_serial;	/* whom to tell when it is gone; 0: nobody */
	unsigned device_count;
	struct vdevice **devices;	/* that run it */
	struct vdevice **shown;		/* as the client named them */
	bool moves;			/* it can run elsewhere; move.h */
	unsigned refused;		/* the order that it can't follow */
	struct move_wait wait;
	unsigned member_count;
	struct member *members;	/* NULL where there is but one */
	void *idle[MEMBERS_MAX];	/* buffers for commands that do nothing */
};

struct vevent;

struct vqueue {
	struct vobj o;
	struct vcontext *context;
	struct vdevice *device;
	unsigned member;
	bool in_order;
	bool profiling;
	TAILQ_HEAD(, vevent) unreported;	/* under the serve's lock */
	bool closed;		/* the client has released it; the same */
	atomic_int failed;	/* of a command without event, for clFinish */
	bool blocked;		/* a simulator's that may not be flushed; cascade.c */
	struct mixed_queue *mixed;	/* in a context of several members */
	struct meter *meter;	/* NULL: nothing was launched */
};

struct vevent {
	struct vobj o;
	struct vqueue *queue;	/* NULL: user event */
	struct vcontext *context;
	unsigned member;
	bool unset;		/* a user event whose status is not set yet */
	bool awaited;		/* while it was, by some command */
	bool held;		/* by such a one, directly or not; cascade.c */
	bool waiting;		/* so it was when cascade_mark looked */
	bool late;		/* its command is not let go yet; coherence.c */
	TAILQ_ENTRY(vevent) held_entry;
	uint64_t mark;		/* meter.c's; 0: it tells nothing */
	/* Under the serve's lock, report*.c's. */
	TAILQ_ENTRY(vevent) entry;
	struct vevent *next;	/* on an account */
	uint64_t serial;	/* among all events of the session */
	uint64_t lag;		/* ns from its command's arrival on */
	cl_int status;		/* when it was reported */
	bool listed;		/* in its queue's list */
	bool reported;		/* the client knows how it ended */
	bool released;		/* the client forgot it, or never knew it */
	bool tell;		/* by a message of its own */
	unsigned part_count;
	cl_event *parts;	/* of several commands, where it is profiled */
	unsigned dep_count;
	struct vevent **deps;	/* what it waited for, until reported */
};

/* The native object of an object in a member. */
static inline void *
native(const void *object, unsigned member)
{
	return ((const struct vobj *)object)->native[member];
}

/*
 * Allocate an object of size bytes, zeroed, with one reference, and enter it
 * under the client's id with the call's message as its recipe.  NULL: the id
 * can't be used or there is no memory; the connection is then failed.
 */
void *object_new(struct serve *, struct call *, enum obj_kind, uint64_t id,
    size_t size, void (*fini)(struct vobj *));

void *object_ref(void *);
void object_unref(void *);

#endif
