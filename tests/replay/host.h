/* SPDX-License-Identifier: ISC */
/*
 * host - the serving part of a session in a child process.
 *
 * It keeps state for the whole process and ends by _exit, so each scenario has
 * a process of its own, forked before there is any thread.  REPLAY_LOG=1 in
 * the environment shows its log.
 */
#ifndef VGPU_TESTS_REPLAY_HOST_H
#define VGPU_TESTS_REPLAY_HOST_H

#include <stdint.h>
#include <sys/types.h>

#include "hostd/view.h"
#include "transport/transport.h"

struct usage;

struct host {
	pid_t pid;	/* 0: none */
};

/*
 * How the next host shows its four devices, which are all alike; what names it
 * gives them; and who decides where contexts run.  As these are at first:
 * physical, their own, nobody.
 */
extern enum view_kind host_view;
extern const char *host_names;
extern unsigned (*host_place)(const unsigned *, unsigned);

/*
 * What a parent says to the host: to move contexts, and on which of its devices
 * (a bit for each) nothing new may run.  The latter is heard when it returns.
 */
struct channel_move;
struct channel_moved;
void host_move(const struct channel_move *);
void host_shut(unsigned devices);

/* The next that the host tells of a move; fails the test at the deadline. */
void host_moved(struct channel_moved *, int64_t deadline);

/* The time for each step of a move of the next host's; 0: as long as usual. */
extern int64_t host_step_ms;

/* The device that the host next tells is lost. */
unsigned host_lost(int64_t deadline);

/* What the next host writes its doings to; NULL at first. */
extern struct usage *host_usage;

/*
 * Start one whose vendor plays the script.  The client's ends of n lanes, the
 * first of them the control lane, go to ends.
 */
void host_spawn(struct host *, const char *script, struct transport **ends,
    unsigned n);

/* Its wait status, once it has ended; fails the test at the deadline. */
int host_wait(struct host *, int64_t deadline);

void host_kill(struct host *);

#endif
