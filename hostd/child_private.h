/* SPDX-License-Identifier: ISC */
/*
 * child_private - what child.c, which starts and ends a session process, and
 * child_message.c, which understands what it says, share.
 */
#ifndef VGPU_HOSTD_CHILD_PRIVATE_H
#define VGPU_HOSTD_CHILD_PRIVATE_H

#include "hostd/channel.h"
#include "hostd/child.h"

struct event;
struct relay;

#define CHILD_STOP_S 2	/* from SIGTERM to SIGKILL */

struct child {
	LIST_ENTRY(child) entry;
	struct child_start start;
	enum child_state state;
	int64_t since;			/* in this state */
	enum child_state before;	/* CHILD_ENDING: what it was */
	pid_t pid;
	int channel;
	struct event *event;
	struct event *timer;
	struct relay *relay;
	char *state_dir;	/* its tenant's; NULL before there is one */
	struct peer peer;	/* its client, as the kernel knows it */
	unsigned session;
	unsigned signatures;	/* it may still ask for */
	unsigned lanes;		/* given, and not reported done */
	bool told;		/* to end */
};

void child_enter(struct child *, enum child_state);

/* End it where it is still in this state after so many seconds. */
void child_arm(struct child *, unsigned seconds);
void child_disarm(struct child *);

/* Whose lines its standard error has from now on. */
void child_name(struct child *, const char *name);

/*
 * Send it a message.  One that can't be sent, but for a lane, ends it: it does
 * not read.
 */
enum vgpu_err child_send(struct child *, enum channel_type, const void *,
    size_t, int fd);

/* libevent's callback: its channel can be read. */
void child_on_message(int fd, short what, void *arg);

#endif
