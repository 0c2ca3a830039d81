/* SPDX-License-Identifier: ISC */
/*
 * queue - command queues.
 */
#ifndef VGPU_ICD_QUEUE_H
#define VGPU_ICD_QUEUE_H

#include <pthread.h>

#include "icd-vgpu/event.h"
#include "icd-vgpu/object.h"

struct context;
struct direct;
struct command_buffer;
struct device;

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
	uint64_t serial;		/* of the last command sent */
	LIST_HEAD(, direct) direct;	/* copies without gate; direct.h */
	unsigned direct_count;		/* all of them */
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

#endif
