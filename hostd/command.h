/* SPDX-License-Identifier: ISC */
/*
 * command - what every command in a queue has in common on the host.
 *
 * A message's exec function opens a command, calls the vendor's enqueue
 * function with the native queue and wait list, and closes the command with
 * the result:
 *
 *	struct command c;
 *
 *	if (!command_open(&c, s, call, m->command_queue.obj,
 *	    &m->event_wait_list, &m->event))
 *		return;
 *	command_close(&c, clEnqueueX(c.queue, ..., c.wait_count, c.wait,
 *	    c.event_ret));
 *
 * Nothing here waits.  Where something has to happen at completion (a status
 * that was asked for, a body, staging memory to be freed) a callback is set;
 * where not, the command costs the vendor's call and nothing else.
 */
#ifndef VGPU_HOSTD_COMMAND_H
#define VGPU_HOSTD_COMMAND_H

#include "hostd/serve.h"

#define COMMAND_WAIT_MAX 64

struct staging;

struct command {
	struct serve *serve;
	struct call *call;
	struct vqueue *vqueue;
	struct vcontext *context;
	unsigned member;
	cl_command_queue queue;		/* native */
	cl_uint wait_count;
	const cl_event *wait;		/* native; NULL when none */
	cl_event *event_ret;		/* where the vendor puts the event, or NULL */
	struct vevent *vevent;		/* NULL: the client wants none */
	bool hidden;			/* it does, but causes have to be kept */
	cl_event event;
	cl_event small[COMMAND_WAIT_MAX + 2];	/* two for gates */
	cl_event *large;
	struct staging *staging;
	struct access *access;		/* of a mixed context; coherence.c */
	uint64_t finish_serial;		/* the clFinish that it answers, or 0 */
	void (*then)(struct serve *, void *, cl_int status);
	void *then_arg;
};

/*
 * Make the event and the native wait list.  event and wait_list are the
 * message's resolved fields; event may be null.  False: the call has failed
 * and was answered (a poisoned object, a failed event in the list).
 */
bool command_open(struct command *, struct serve *, struct call *,
    struct vqueue *, const struct span *wait_list, const union ref *event);

/*
 * The body of a write: the bytes to give to the vendor, which stay valid until
 * the command has completed; they are there (data, inline), or will arrive on
 * the data lane, and then the wait list holds back the command until they
 * have.  size: what the message promises; NULL after call_fail if it does not
 * match data or there is no memory.  Before the vendor's call.
 */
void *command_body_in(struct command *, const struct span *data,
    uint64_t transfer, size_t size);

/*
 * Memory for the body of a read, sent to the client's transfer when the
 * command has completed.  NULL after call_fail.  Before the vendor's call.
 */
void *command_body_out(struct command *, uint64_t transfer, size_t size);

/*
 * A body of a read that lies in memory of the vendor's (a mapped region):
 * nothing is allocated or freed, the bytes are sent at completion.
 */
bool command_body_at(struct command *, uint64_t transfer, void *, size_t);

/*
 * For direct.c: wait for one more event, of which there may be one more than
 * in the client's list; and hold the command back until st's body is there.
 */
void command_wait(struct command *, cl_event);
cl_int command_gate(struct command *, struct staging *);

/* Run then(serve, arg, status) in the vendor's thread at completion. */
void command_then(struct command *,
    void (*then)(struct serve *, void *, cl_int status), void *arg);

/* End it with what the vendor's call returned. */
void command_close(struct command *, cl_int result);

/*
 * Enqueue a native command that does nothing, when what is in the wait list has
 * ended; in an in-order queue, when all before it has.
 */
cl_int command_enqueue_empty(struct vqueue *, cl_uint n, const cl_event *wait,
    cl_event *);

/*
 * Learn when a command of the queue that waits for that could run: by an empty
 * one, at whose end then(serve, arg, status) is called.
 */
cl_int command_turn(struct vqueue *, cl_uint n, const cl_event *wait,
    void (*then)(struct serve *, void *, cl_int status), void *arg);

/*
 * Let the device begin.  Tried twice: nobody else would, and what was enqueued
 * would wait for ever where the vendor was short of something for a moment.
 */
cl_int command_flush(cl_command_queue);

/* Set a native user event, tried twice for the same reason. */
cl_int command_set_event(cl_event, cl_int status);

/*
 * End one that moves nothing, but has its place in the order; vendors differ in
 * whether they take a size of 0.
 */
void command_close_empty(struct command *);

/* Size of a region of elements in bytes; SIZE_MAX on overflow. */
size_t command_region(const struct span *region, size_t element);

/* Body of a creation, in place when it has to come by the data lane: the loop
 * pauses the control lane until it is there and runs the call again then.
 * VGPU_OK: *p is the body (NULL: none), valid until the call ends.
 * VGPU_EAGAIN: return, the call will be repeated.  Else it has failed. */
enum vgpu_err creation_body(struct serve *, struct call *,
    const struct span *data, uint64_t transfer, size_t size, const void **p);

#endif
