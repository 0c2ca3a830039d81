/* SPDX-License-Identifier: ISC */
/*
 * service - the thread that keeps the connection going while no thread of the
 * program waits: it sends what nobody flushed, and reads what nobody awaits
 * (callbacks, statuses that are polled, what kernels print).
 *
 * While the program is busy it looks once a millisecond, so that neither a
 * launch nor a wait pays a system call for it; less often while the program
 * waits again and again, as it sends and reads by itself then, and many such
 * programs would take the processor from those that work.  When nothing
 * happens it rests without a timer and is woken by the first unsent message.
 */
#ifndef VGPU_ICD_SERVICE_H
#define VGPU_ICD_SERVICE_H

#include <stdbool.h>

struct client;

/* What wakes it before its time. */
enum service_sleep {
	SERVICE_TICKS,		/* nothing */
	SERVICE_DOZES,		/* what is expected */
	SERVICE_RESTS		/* what is unsent, too */
};

/* Start it for a connected client.  False: no thread. */
bool service_start(struct client *);

/* A message was queued and not sent. */
void service_note_unsent(struct client *);

/*
 * Send what was queued by any thread.  What the socket does not take now, the
 * service thread sends.
 */
void service_flush(struct client *);

/* Something is expected that no thread waits for. */
void service_wake(struct client *);

#endif
