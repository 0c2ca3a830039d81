/* SPDX-License-Identifier: ISC */
/*
 * serve - the session's part that talks with its client once it is admitted.
 *
 * One thread, the loop, receives messages and hands each to its exec_ function
 * (exec_*.c); it never waits for a device.  The vendor's threads report
 * completed commands (command.c) and send the news to the client themselves.
 *
 * Errors of a call poison the object or fail the event that the call was to
 * make (call_fail); errors of the protocol end the connection (serve_fail).
 */
#ifndef VGPU_HOSTD_SERVE_H
#define VGPU_HOSTD_SERVE_H

#include <pthread.h>

#include "common/buf.h"
#include "hostd/calls.h"
#include "hostd/loop.h"
#include "hostd/object.h"
#include "hostd/pool.h"
#include "hostd/view.h"
#include "transport/link.h"

struct channel_move;
struct channel_moved;
struct event;
struct event_base;
struct idtab;
struct replay;
struct usage;

/* Bodies up to this travel in their message, on the control lane. */
#define SERVE_INLINE_MAX (64u << 10)
/* Eager transfers that a client may have under way. */
#define SERVE_EAGER_MAX (64u << 20)
/* Staging memory in use above which bodies wait until they are needed. */
#define SERVE_STAGING_MAX ((size_t)256 << 20)
#define SERVE_OBJECTS_MAX (1u << 24)

/* What session.c hands over. */
struct serve_start {
	struct event_base *base;
	struct transport *control;	/* taken */
	unsigned session;
	const char *tenant;
	uint64_t present_as;	/* 0, or one CL_DEVICE_TYPE_* bit */
	enum view_kind view;	/* the widest that it may have */
	bool move_across;	/* contexts may move to another class */
	const char *names;	/* see alias_name; or NULL */
	const char *state_dir;	/* the tenant's own folder */
	uint64_t build_cache;	/* bytes kept in it; 0: none (reuse.h) */
	const struct pool *pool;	/* in the order to show it */
	struct usage *usage;	/* what the parent reads of it; or NULL */
	/*
	 * Ask which of n devices, by their numbers in all pools, is to run a
	 * context; who answers counts its use.  NULL: the first one.
	 */
	unsigned (*place)(const unsigned *indexes, unsigned n);
	/* Tell what became of an order to move (move.h); or NULL. */
	void (*moved)(const struct channel_moved *);
	int64_t step_ms;	/* see MOVE_STEP_MS; 0: that */
	/*
	 * Tell which device the client sees first, where it is not the pool's
	 * first, since it wants less; or NULL.
	 */
	void (*shown)(unsigned index);
	/* Tell that a vendor calls a device not available (lost.h); or NULL. */
	void (*lost)(unsigned index);
};

/* Serve until the client or the parent is gone; returns the exit status. */
int serve_run(struct serve_start *);

/* A further lane with the session's certificate; taken. */
void serve_add_lane(struct transport *);

/*
 * What the parent says: bits of the devices where nothing new may run; and that
 * contexts are to move (move.h).
 */
void serve_shut(const uint8_t *bits);
void serve_move(const struct channel_move *);

/* Tell a client that is not admitted why, in the protocol's form. */
void serve_refuse(struct transport *, enum vgpu_err, const char *reason);

/* ---- for exec_*.c ------------------------------------------------------ */

struct serve {
	struct serve_start start;
	struct event_base *base;
	struct loop loop;
	struct link *control;
	struct link *data;		/* NULL until it joined */
	struct idtab *objects;
	enum view_kind kind;
	char *only;			/* what it wants to see; or NULL */
	struct view view;		/* made at hello */
	struct vdevice **devices;	/* of the view, in order */
	unsigned device_count;
	/* Not shown; contexts may move there. */
	struct view spare_view;
	struct vdevice **spares;
	unsigned spare_count;
	uint64_t present_as;
	bool ready;			/* hello is done */
	uint64_t features;		/* the client's, of which we know */
	atomic_bool ended;		/* goodbye was said */
	bool may_print;			/* a program may use printf */
	uint8_t token[TRANSPORT_TOKEN_LEN];

	pthread_mutex_t lock;		/* lists of events, transfers */
	pthread_mutex_t report_lock;	/* the order of reports */
	uint64_t events_added;		/* so far; under lock */
	size_t staging;			/* bytes in use; under lock */
	struct transfers *transfers;
	struct output *output;
	struct event *control_event, *data_event, *stand_event;
};

/* One message being carried out. */
struct call {
	const struct message *message;
	unsigned flags;		/* FRAME_* */
	uint64_t serial;
	const void *body;	/* as encoded */
	size_t len;
	void *msg;		/* its struct, ids resolved */
	cl_int poison;		/* error of an object it uses */
	uint64_t place;		/* of a creation's body in the arena, or 0 */
	struct replay *replay;	/* it is a command buffer's, or NULL */
	uint64_t finish_serial;	/* of a clFinish right behind it, or 0 */
	bool finishes;		/* the command will answer that, too */
	bool replied;
};

/*
 * The call failed with an OpenCL error: what it was to make is poisoned (an
 * event fails), and the client is told: by the reply of a sync call, else by
 * object_error or event_status.  reason (may be NULL) is for the context's
 * notification callback.
 */
void call_fail(struct serve *, struct call *, cl_int code, const char *reason);

/* Reply to a sync call, or to an async one that asked for confirmation. */
void call_reply(struct serve *, const struct call *, const void *reply);

/* Reply to a call of another serial, later and from any thread. */
void serve_reply(struct serve *, const struct message *, uint64_t serial,
    const void *reply);

/* Send a message of session.def; any thread.  flush: at once. */
void serve_send(struct serve *, const struct message *, const void *msg,
    bool flush);

/* Send what is queued on the control lane, now or when it has room. */
void serve_flush(struct serve *);

/* Take what has arrived on the control lane; again after a stall. */
void serve_receive_control(struct serve *);

/*
 * Let the control lane stand, so that what arrives stays where it is, and look
 * now and then whether the client is still there; and go on.
 */
void serve_stand(struct serve *);
void serve_go_on(struct serve *);

/* The objects of an array of ids that was resolved. */
static inline void *const *
span_objects(const struct span *span)
{
	return span->p;
}

/* The connection can't go on; the reason goes to client and log. */
void serve_fail(struct serve *, enum vgpu_err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Run fn(serve, arg) in the loop thread, from any thread.
 */
void serve_defer(struct serve *, void (*fn)(struct serve *, void *),
    void *arg);

/* Load the device's vendor if need be: CL_SUCCESS, or a code and reason. */
cl_int device_open(struct serve *, struct vdevice *, const char **reason);

#endif
