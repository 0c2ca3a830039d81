/* SPDX-License-Identifier: ISC */
/*
 * report - telling the client how its commands ended.
 *
 * The client is told of an event when somebody asked.  In an in-order queue
 * that tells it of all events before, too, so those that failed, and the time
 * stamps of queues that profile, are told first.  Likewise what an event
 * waited for is told before the event, so a program that polls never sees an
 * effect without its cause.
 *
 * Called from the vendors' threads; report_lock keeps the order.
 */
#ifndef VGPU_HOSTD_REPORT_H
#define VGPU_HOSTD_REPORT_H

#include "hostd/serve.h"

/* A new event of a command that the vendor accepted; keep it in its queue. */
void report_add(struct serve *, struct vevent *);

/*
 * How an event ended for the client, of which the vendor says that it ended
 * with status: it may have failed with something that it waited for.
 */
cl_int report_outcome(struct serve *, const struct vevent *, cl_int status);

/* The client has released it. */
void report_forget(struct serve *, struct vevent *);
void report_close(struct serve *, struct vqueue *);

/* It has ended: tell it with all that has to come before. */
void report_end(struct serve *, struct vevent *);

/* All commands of its queue that were added before the mark have ended. */
void report_queue(struct serve *, struct vqueue *, uint64_t mark);

/*
 * Tell of all events of the queue that have ended, also unasked; false: there
 * are others.
 */
bool report_all(struct serve *, struct vqueue *);

/* A mark behind all events that were added so far. */
uint64_t report_mark(struct serve *);

/* Does the client know how it ended? */
bool report_is_told(struct serve *, const struct vevent *);

/* It has reached CL_RUNNING or CL_SUBMITTED. */
void report_status(struct serve *, struct vevent *, cl_int status);

/* The event of this id failed before the vendor knew of it. */
void report_failure(struct serve *, uint64_t id, cl_int code);

#endif
