/* SPDX-License-Identifier: ISC */
/*
 * coherence - commands of a mixed context see what other members have written.
 *
 * A command whose content is valid in its member, and that nothing holds up, is
 * passed on at once, and the directories (replica.h) are brought up to date.
 * That is right as long as commands happen in the order in which they came, as
 * far as their order matters: what was seen to end came before.
 *
 * Others are late.  They are enqueued behind a gate, a user event.  When all
 * else that they wait for has happened, what is missing is copied, the
 * directories are brought up to date, and the gate is opened.  A command is
 * late, too, if it waits for a late one, or for a user event that is not set:
 * the program may let others come before it.  So a copy waits for what
 * its command waits for, and for nothing else, and cannot deadlock.
 *
 * The loop thread's.
 */
#ifndef VGPU_HOSTD_COHERENCE_H
#define VGPU_HOSTD_COHERENCE_H

#include "hostd/serve.h"

struct command;

/* What a queue of a mixed context has besides. */
struct mixed_queue {
	unsigned late;		/* commands that are not let go yet */
	cl_event barrier;	/* the last one, where order is free; or NULL */
};

/* Also compares clocks, where the queue profiles. */
cl_int mixed_queue_open(struct vqueue *);
void mixed_queue_close(struct vqueue *);

/* For command.c, of a command in a mixed context. */
cl_int coherence_open(struct command *, const struct span *wait_list);
/* After a coherence_open that went well; the result to close with. */
cl_int coherence_close(struct command *, cl_int result);

#endif
