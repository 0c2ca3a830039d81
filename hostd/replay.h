/* SPDX-License-Identifier: ISC */
/*
 * replay - commands of a command buffer as commands in a queue.
 *
 * A recorded command is the message that would enqueue it, kept with its
 * objects.  A replay carries each out again by its exec_ function; command_open
 * and command_close turn here for queue, wait list and event, so that those
 * functions know nothing of command buffers.
 *
 * In an in-order queue the order is enough.  In others each command waits for
 * its sync-points, the last barrier, the command before it where the buffer
 * was recorded for an in-order queue, or else for what the replay waits for.
 */
#ifndef VGPU_HOSTD_REPLAY_H
#define VGPU_HOSTD_REPLAY_H

#include "hostd/serve.h"

struct command;

struct recorded {
	const struct message *message;
	uint64_t *msg;		/* its struct, objects resolved and referred to */
	uint64_t *body;		/* which spans of msg point into */
	unsigned wait_count;
	uint64_t *wait;		/* earlier commands, from 1 */
	uint64_t sizes[3][3];	/* of a launch that was updated */
};

struct vcommands {
	struct vobj o;
	struct vqueue *queue;	/* that it was made for */
	unsigned count, room;
	struct recorded **list;
};

/*
 * Enqueue all of it as one command, which is open: its wait list comes before,
 * its event after all.  Returns the first error; what was enqueued before that
 * stays so.
 */
cl_int replay_run(struct command *, const struct vcommands *);

/* fn(arg, object) for each object that a recorded command uses. */
void recorded_each(const struct vcommands *, void (*fn)(void *arg, void *obj),
    void *arg);

/* For command.c and dispatch.c, of a call that has a replay. */
void replay_open(struct replay *, struct command *);
void replay_close(struct replay *, cl_int result);

#endif
