/* SPDX-License-Identifier: ISC */
/*
 * queue - command queues, and what every enqueue has in common.
 */
#ifndef VGPU_ICD_QUEUE_H
#define VGPU_ICD_QUEUE_H

#include <pthread.h>

#include "icd-vgpu/event.h"
#include "icd-vgpu/object.h"

struct context;
struct command_buffer;
struct device;
struct usm_set;

struct queue {
	struct object o;
	struct context *context;
	struct device *device;
	cl_command_queue_properties properties;
	cl_queue_properties *list;	/* as given, with the final 0; or NULL */
	size_t list_count;
	cl_queue_properties size;	/* of a device queue, else 0 */
	cl_queue_properties priority, throttle;	/* hints; 0: none */
	bool in_order;
	bool on_device;
	struct command_buffer *records;	/* its commands are kept there */
	bool unset_ok;			/* arguments come later; of such one */
	pthread_mutex_t lock;		/* serials rise in the order of sending */
	uint64_t serial;		/* of the last event sent */
	uint64_t completed;		/* watermark; under the call lock */
};

/*
 * The default device queue of a context's device, with a use, or NULL; and to
 * make a queue the one.
 */
struct queue *queue_default_find(const struct context *, const struct device *);
void queue_default_set(const struct queue *);

/*
 * A queue for the checks of commands that a command buffer records: as the
 * given one, but unknown to the host.  NULL: out of memory.
 */
struct queue *queue_recorder(struct queue *, struct command_buffer *);

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
	union ref event_id;	/* for the message's event */
	uint64_t ids[COMMAND_LIST];
	uint64_t *many;		/* ids of longer lists */
	const struct usm_set *usm;	/* NULL, or what it may touch */
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
 * A command that may touch unified shared memory: it needs an event, and its
 * usm is set before it is sent, for as long as that takes.
 */

/*
 * Send the message (payload may be NULL), hand out the event, and wait if the
 * command is blocking.  Returns what the enqueue call returns.
 */
struct payload;
cl_int command_send(struct command *, const struct message *, const void *msg,
    struct payload *);

/* An error was found after command_open; returns code. */
cl_int command_drop(struct command *, cl_int code);

/* CL_INVALID_CONTEXT when an object's context is not the queue's. */
cl_int command_check_context(const struct command *, const struct context *);

#endif
