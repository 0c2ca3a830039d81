/* SPDX-License-Identifier: ISC */
/*
 * meter - how long a session's launches take, learned from what is known anyway.
 *
 * No command is asked for its time, and none gets an event or a callback for
 * this: where a completion is heard of, all launches before it in its queue are
 * taken to have run since the one before (in a queue without order some may
 * still run).  That time is shared among them as their classes (usage.h) have
 * taken so far.  What a class takes falls fast and rises slowly, as a launch is
 * held up by others but never hurried.
 *
 * What was launched and not heard of counts as queued.
 */
#ifndef VGPU_HOSTD_METER_H
#define VGPU_HOSTD_METER_H

#include "hostd/kernel_arg.h"

struct vmem;
struct vprogram;

/* Of a kernel of that name, when it is made. */
uint64_t meter_kernel_key(struct vprogram *, const char *name);

/* A launch was enqueued over so many work items.  The loop thread's. */
void meter_launch(struct vqueue *, struct vkernel *, const struct span *size);

/*
 * The end of the last command in a queue will be heard of.  The loop thread's.
 * 0: nothing is to be told then.
 */
uint64_t meter_mark(struct vqueue *);

/* It was.  Any thread's. */
void meter_reached(struct vqueue *, uint64_t mark);

/*
 * The queue is empty, and on another device from now on.  Marks stay good, as
 * events of before may still be asked for.  The loop thread's.
 */
void meter_move(struct vqueue *);

/* The queue is gone. */
void meter_close(struct vqueue *);

/* A memory object of a context was made; it is gone. */
void meter_memory(const struct vcontext *, size_t size, bool gone);

/* A program was built for its devices in that time; 0: it was kept. */
void meter_built(const struct vprogram *, uint64_t ns);

#endif
