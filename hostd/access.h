/* SPDX-License-Identifier: ISC */
/*
 * access - what one command of a mixed context does to memory, until it is let
 * go: what is missing in its member is copied, and the directories change
 * (coherence.h says when).  The loop thread's.
 */
#ifndef VGPU_HOSTD_ACCESS_H
#define VGPU_HOSTD_ACCESS_H

#include "hostd/serve.h"
#include "hostd/uses.h"

/* How one command accesses memory, until it is let go. */
struct access {
	struct serve *serve;
	struct vqueue *queue;	/* a reference */
	struct vevent *event;	/* a reference, or NULL */
	unsigned member;
	bool late;
	bool awaited;		/* something tells when it could run */
	bool dropped;		/* its command failed to be enqueued */
	cl_event gate;		/* NULL where there is nothing to copy */
	cl_event command;	/* what is behind it */
	unsigned moves;		/* under way */
	cl_int cause;		/* what it waits for has failed */
	cl_int error;		/* the copying has */
	struct uses uses;
};

/* Is all that it reads valid in its member? */
bool access_all_valid(const struct access *);

/* Room in the directories for what it writes; false: no memory. */
bool access_reserve(struct access *);

/* What it writes is valid nowhere else.  Room was reserved. */
void access_note_writes(struct access *);

/* All that the command waits for has happened; for serve_defer. */
void access_admit(struct serve *, void *access);

/* The same, for completion_watch. */
void access_on_ready(struct serve *, void *access, cl_int status);

/* Nothing tells of it any more, or soon. */
void access_drop(struct access *);

void access_free(struct access *);

#endif
