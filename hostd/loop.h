/* SPDX-License-Identifier: ISC */
/*
 * loop - where a session's loop thread waits for what happens next.
 *
 * It sleeps, or looks again and again for a while (common/polling.h) where the
 * client's next message may come soon: after each batch of messages, and when
 * the end of a command that the client awaits has been sent.  Between the two
 * it sleeps: the device may need the core, and no message is due.
 */
#ifndef VGPU_HOSTD_LOOP_H
#define VGPU_HOSTD_LOOP_H

#include <stdatomic.h>

#include "common/polling.h"

struct serve;

/* In struct serve. */
struct loop {
	struct polling polling;	/* the loop thread's */
	atomic_uint owed;	/* ends of commands to be sent */
	atomic_bool drowsy;	/* it sleeps, and would rather be woken */
};

/* Until event_base_loopbreak. */
void loop_run(struct serve *);

/* Messages were taken. */
void loop_note_batch(struct serve *);

/* The end of a command will be sent; it was sent.  Any thread. */
void loop_owe(struct serve *);
void loop_paid(struct serve *);

#endif
