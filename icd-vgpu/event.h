/* SPDX-License-Identifier: ISC */
/*
 * event - commands and user events as the program sees them.
 *
 * The host reports a status where somebody asked (a watch, a blocking call);
 * for the rest a queue's watermark tells: all its commands up to a serial are
 * complete.  Either counts only when the command's body has landed.
 */
#ifndef VGPU_ICD_EVENT_H
#define VGPU_ICD_EVENT_H

#include <stdbool.h>
#include <sys/queue.h>

#include "icd-vgpu/object.h"
#include "protocol/messages.h"

struct context;
struct queue;
struct event_callback;

#define EVENT_STAMPS 5	/* queued, submit, start, end, complete */

struct event {
	struct object o;
	struct context *context;
	struct queue *queue;		/* NULL: user event */
	cl_command_type type;
	uint64_t serial;		/* in its queue; set when it is sent */

	/* Under the call lock. */
	cl_int status;			/* as the host said */
	bool stamped;
	uint64_t stamp[EVENT_STAMPS];
	unsigned watched;		/* statuses asked for, as in watch */
	struct event_callback *callbacks;
	TAILQ_ENTRY(event) entry;	/* of those with callbacks */
	bool listed;
};

#define EVENT_UNSENT UINT64_MAX

/*
 * A new command's event in a queue, not sent yet.  NULL: out of memory.  The
 * caller has the one reference.
 */
struct event *event_new(struct queue *, cl_command_type);

/* The handle of an event. */
static inline cl_event
event_handle(struct event *e)
{
	return (cl_event)(void *)e;
}

/* With the call lock held: the status that the program may see now. */
cl_int event_status(const struct event *);

/*
 * Wait for one command and return CL_SUCCESS, its negative status, or
 * CL_DEVICE_NOT_AVAILABLE.  It has to have been sent with FRAME_NOTIFY.
 */
cl_int event_wait(struct event *);

/* A status from the host. */
void event_take_status(const struct msg_event_status *);

/* A body has landed, or a watermark rose: callbacks may be due. */
void event_fire_all(void);

/* It was sent, and its command has ended here, with all before it. */
void event_end_here(struct event *);

/* In a child after fork nothing is awaited. */
void event_fork(enum fork_phase);

/* The connection is gone. */
void event_lose(struct event *);

/*
 * Check a wait list (OpenCL 3.0, 5.8 and 5.11): CL_INVALID_EVENT_WAIT_LIST for
 * a count without a list or a list without a count and for handles that are no
 * events, CL_INVALID_CONTEXT for an event of another context.  On success
 * ids, of n elements, are filled in.
 */
cl_int event_check_list(const struct context *, cl_uint n,
    const cl_event *list, uint64_t *ids);

#endif
