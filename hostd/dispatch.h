/* SPDX-License-Identifier: ISC */
/*
 * dispatch - from a frame to the exec_ function that carries it out.
 *
 * Decodes by the tables, resolves every id to its object, checks kinds, and
 * knows from the tables what a failed call has to poison.
 */
#ifndef VGPU_HOSTD_DISPATCH_H
#define VGPU_HOSTD_DISPATCH_H

#include <stdint.h>

#include <stdbool.h>

struct frame;
struct serve;
struct vqueue;

/*
 * Carry out one message; the frame stays valid while the lane is stalled.
 * next: the message behind it, if that is here, or NULL.  True: that was
 * carried out, too.
 */
bool dispatch_frame(struct serve *, const struct frame *,
    const struct frame *next);

/* No more messages now: let the devices start on what came. */
void dispatch_end_batch(struct serve *);

/* A command was put into a queue in this batch. */
void dispatch_note_queue(struct vqueue *);

/*
 * Count bodies that commands wait for.  A simulator runs a queue's commands
 * inside of clFlush, and would wait there for what only the loop can bring: its
 * queues are flushed when there are none.  For user events cascade.h knows
 * more.  Any thread.
 */
void dispatch_count_shut(struct serve *, int change);

/*
 * The current message needs a body that the data lane has not brought yet:
 * nothing more is taken from the control lane until dispatch_resume, which
 * carries out the message again.
 */
void dispatch_stall(struct serve *);
bool dispatch_stalled(const struct serve *);
void dispatch_resume(struct serve *);

/*
 * Carry out nothing more for a while, between two messages; and go on.  Not
 * while the lane is stalled.
 */
void dispatch_hold(struct serve *);
void dispatch_let_go(struct serve *);

/* Is there a command that no device knows of yet? */
bool dispatch_is_behind(void);

/*
 * For how long the current message may have been kept waiting by a stall, in
 * nanoseconds.  It is 0 again once all that had arrived is carried out, or a call
 * was answered.
 */
uint64_t dispatch_lag(const struct serve *);
void dispatch_caught_up(struct serve *);

#endif
