/* SPDX-License-Identifier: ISC */
/*
 * simulator - commands of simulators in contexts of several members.
 *
 * A simulator runs commands in the thread that flushes or waits, and waits
 * there for whatever they wait for.  In a mixed context that can be a command
 * of another vendor, which only the loop can bring on.  So such a queue is
 * never flushed: each command is run, by waiting for its event, when all that
 * it waits for has happened.
 *
 * The loop thread's.
 */
#ifndef VGPU_HOSTD_SIMULATOR_H
#define VGPU_HOSTD_SIMULATOR_H

#include "hostd/serve.h"

/* Is the queue one of those? */
bool simulator_runs(const struct vqueue *);

enum simulator_order {
	ORDER_FREE = 0,
	ORDER_AFTER = 1,	/* after all that was enqueued before */
	ORDER_BEFORE = 2	/* before all that comes */
};

/*
 * A command was enqueued natively, with this event and wait list.  False: out
 * of memory.
 */
bool simulator_add(struct vqueue *, cl_event, cl_uint n, const cl_event *wait,
    unsigned order);

/* Run what can run. */
void simulator_run(void);

#endif
