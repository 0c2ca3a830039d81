/* SPDX-License-Identifier: ISC */
/*
 * command - what every enqueue has in common: its queue, wait list and event.
 */
#ifndef VGPU_ICD_COMMAND_H
#define VGPU_ICD_COMMAND_H

#include "icd-vgpu/event.h"
#include "icd-vgpu/object.h"
#include "icd-vgpu/queue.h"

struct context;
struct direct;
struct payload;
struct usm_set;

/* A wait list of up to this many events needs no allocation. */
#define COMMAND_LIST 16

/*
 * One command on its way: filled by command_open, its fields used to build the
 * message, ended by command_send or command_drop.
 */
struct command {
	struct queue *queue;
	struct event *event;	/* NULL: nobody asked for one */
	cl_event *event_ret;
	bool blocking;
	struct span list;	/* for the message's event_wait_list */
	const cl_event *given;	/* the same as the program has it */
	/* A body to be copied when it has been awaited; NULL: none. */
	struct direct *direct;
	union ref event_id;	/* for the message's event */
	uint64_t ids[COMMAND_LIST];
	uint64_t *many;		/* ids of longer lists */
	/*
	 * What unified shared memory it may touch; NULL: none.  Set before it
	 * is sent, for as long as that takes; it needs an event then.
	 */
	const struct usm_set *usm;
};

/*
 * Check queue and wait list and make the event.  blocking: the command will be
 * waited for; it gets an event of its own where the program wants none.
 * need_event: as blocking, for commands with a body from the host.
 * CL_INVALID_COMMAND_QUEUE, CL_INVALID_EVENT_WAIT_LIST, CL_INVALID_CONTEXT,
 * CL_OUT_OF_HOST_MEMORY, CL_DEVICE_NOT_AVAILABLE.  After an error there is
 * nothing to drop.
 */
struct command_options {
	cl_command_type type;
	bool blocking;
	bool need_event;
};
cl_int command_open(struct command *, cl_command_queue,
    const struct command_options *, cl_uint n, const cl_event *list,
    cl_event *event_ret);

/*
 * Send the message (payload may be NULL), hand out the event, and wait if the
 * command is blocking.  Returns what the enqueue call returns.
 */
cl_int command_send(struct command *, const struct message *, const void *msg,
    struct payload *);

/*
 * A command of any type that only has its place in the order: sent after
 * command_open, or whole.  It is no marker, which would wait for all before it
 * where order is free, but a migration of nothing.
 */
cl_int command_send_empty(struct command *);
cl_int command_empty(cl_command_queue, const struct command_options *,
    cl_uint n, const cl_event *list, cl_event *event_ret);

/* An error was found after command_open; returns code. */
cl_int command_drop(struct command *, cl_int code);

/* CL_INVALID_CONTEXT when an object's context is not the queue's. */
cl_int command_check_context(const struct command *, const struct context *);

#endif
