/* SPDX-License-Identifier: ISC */
/*
 * enqueue - the cases that all commands share: queues, wait lists, the event.
 *
 * A command is given as a function that enqueues it with right arguments, but
 * for those that are its parameters.  On other_queue its objects are in the
 * wrong context.
 */
#ifndef VGPU_CONFORMANCE_CALLS_ENQUEUE_H
#define VGPU_CONFORMANCE_CALLS_ENQUEUE_H

#include "conformance/calls/calls.h"

typedef cl_int enqueue_function(struct world *, cl_command_queue, cl_uint n,
    const cl_event *list, cl_event *event);

struct enqueue {
	enqueue_function *run;		/* not blocking */
	enqueue_function *blocking;	/* NULL: there is no such form */
	cl_command_type type;		/* what its event says */
	bool no_objects;		/* so any context's queue is right */
};

void enqueue_cases(struct world *, const struct enqueue *);

/* A queue of its own, so that what fails there stops nothing else. */
cl_command_queue queue_apart(struct world *);

/* The status of an event once it has ended, 1 when it takes too long. */
cl_int event_end(cl_event);

/* A user event that has this status already. */
cl_event event_with(struct world *, cl_int status);

#endif
