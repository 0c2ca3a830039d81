/* SPDX-License-Identifier: ISC */
/*
 * cascade - what a failing user event takes along.
 *
 * Commands that wait for one, directly or not, fail with it (OpenCL 3.0, 5.11).
 * Vendors do that in part: some complete what waits indirectly, some tell it
 * to no callback.  So it is known here which commands wait for a user event
 * that is not set; when it fails they are poisoned before the vendor hears of
 * it, and completions are looked after.
 *
 * Only commands that wait for such an event cost anything.
 */
#ifndef VGPU_HOSTD_CASCADE_H
#define VGPU_HOSTD_CASCADE_H

#include "hostd/serve.h"

/* May dep fail because of a user event?  The loop thread. */
bool cascade_holds(const struct vevent *dep);

/*
 * A simulator runs a queue's commands inside of clFlush, in the calling thread,
 * and would wait there for a user event that only the loop can set.  Set
 * blocked of every such queue, where it is so now.  The loop thread.
 */
void cascade_mark(struct serve *);

/* A command that waits for such ones; its deps are set.  The loop thread. */
void cascade_enter(struct serve *, struct vevent *);

/* The event is gone.  Any thread. */
void cascade_leave(struct vevent *);

/* A user event has failed: poison it and all that waits for it. */
void cascade_fail(struct serve *, struct vevent *, cl_int status);

#endif
