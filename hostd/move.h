/* SPDX-License-Identifier: ISC */
/*
 * move - a context goes on on another device, and its client only waits a
 * little.
 *
 * The parent orders it: a device is drained, or has left, or has much more to
 * do than another.  Nothing that the client says is carried out for a while;
 * when what the context's queues have is done, its objects are made again for
 * the other device, from their recipes, and contents are copied, by a worker
 * (move_make.c).  Then the new native objects take the place of the old ones,
 * which are released.  Until then nothing is changed: where something can't be
 * made, all stays as it was.
 *
 * A context that has what can't be made again stays, and the parent is told
 * why.  One that is never quiet is tried again, with longer and longer waits.
 *
 * The loop thread's.
 */
#ifndef VGPU_HOSTD_MOVE_H
#define VGPU_HOSTD_MOVE_H

#include "hostd/channel.h"
#include "hostd/serve.h"

/*
 * Whether the context could run on another device at all, so that what moving
 * needs is kept of it.
 */
bool move_is_possible(const struct serve *, const struct vcontext *);

/* The parent orders contexts to leave a device; kept until all have. */
void move_order(struct serve *, const struct channel_move *);

/* The devices on which nothing new may run are others now. */
void move_shut_changed(void);

/* Is there an order?  Then, after each batch of messages: is it time? */
bool move_is_ordered(void);
void move_look(struct serve *);

#endif
