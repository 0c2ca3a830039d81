/* SPDX-License-Identifier: ISC */
/*
 * completion - what is done when a native event has ended.
 *
 * Runs in a thread of the vendor's, so it neither waits nor touches what is
 * the loop's; the news leaves from there, without another thread's help.
 */
#ifndef VGPU_HOSTD_COMPLETION_H
#define VGPU_HOSTD_COMPLETION_H

#include <sys/queue.h>

#include "hostd/serve.h"

struct staging;

struct completion {
	struct serve *serve;
	cl_event event;			/* native, a reference */
	struct vqueue *queue;		/* a reference, or NULL */
	struct vevent *vevent;		/* a reference, or NULL */
	bool tell;			/* how it ended */
	struct staging *staging;	/* to be sent, or freed */
	uint64_t finish_serial;		/* reply to clFinish, unless 0 */
	uint64_t mark;			/* events before the clFinish */
	uint64_t launches;		/* meter.h's mark, or 0 */
	void (*then)(struct serve *, void *, cl_int status);
	void *then_arg;

	TAILQ_ENTRY(completion) entry;	/* of those not over; the loop's lock */
	atomic_uint refs;
	atomic_bool over;
};

/* Zeroed but for the arguments; retains event.  NULL: out of memory. */
struct completion *completion_new(struct serve *, cl_event event);

/* Wait for the event in the vendor's way; takes the completion. */
cl_int completion_start(struct completion *);

/*
 * Some command has failed.  From now on the loop itself looks for failed events
 * now and then, as there are vendors whose callbacks do not tell of them.
 */
void completion_look_after(struct serve *);

/* Has something still to be done at the end of a command of the context? */
bool completion_is_due(struct serve *, const struct vcontext *);

/*
 * There is a vendor that calls nobody back for an event that has ended before:
 * look at each.  Before any of its events is waited for.
 */
void completion_expect_forgetful(void);

/* The status of a native event now; CL_QUEUED where the vendor can't tell. */
cl_int completion_status(cl_event);

/* Run then(serve, arg, status) when event has ended; takes the event. */
cl_int completion_watch(struct serve *, cl_event event,
    void (*then)(struct serve *, void *, cl_int status), void *arg);

#endif
