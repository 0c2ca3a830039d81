/* SPDX-License-Identifier: ISC */
/*
 * command_buffer - cl_khr_command_buffer: commands that are recorded once and
 * replayed by one message.
 *
 * Recording is enqueueing into a queue of a special kind, the recorder: the
 * same functions check the command, and command_send hands its message over
 * here, to be sent as a part of the buffer.  A launch is recorded with a clone
 * of its kernel, which nobody else changes.
 */
#ifndef VGPU_ICD_COMMAND_BUFFER_H
#define VGPU_ICD_COMMAND_BUFFER_H

#include <pthread.h>
#include <sys/queue.h>

#include "icd-vgpu/object.h"
#include "protocol/khr.h"

struct message;
struct mutable_command;
struct queue;

TAILQ_HEAD(mutable_commands, mutable_command);

struct command_buffer {
	struct object o;
	struct queue *queue;		/* a use */
	struct queue *recorder;
	cl_bitfield flags;
	cl_bitfield asserts;
	cl_ulong *property;		/* as given, with the final 0 */
	size_t property_count;

	pthread_mutex_t lock;		/* of what follows */
	bool finalized;
	cl_uint count;			/* commands so far */
	cl_uint incomplete;		/* launches with arguments unset */
	struct span sync;		/* of the command being recorded */
	struct mutable_commands launches;
};

/* The command buffer of a handle, NULL when it is none. */
static inline struct command_buffer *
command_buffer_check(struct _cl_command_buffer_khr *handle)
{
	return (struct command_buffer *)object_check(handle,
	    OBJ_COMMAND_BUFFER);
}

/* Send a command's message as a part of the buffer. */
cl_int command_buffer_take(struct command_buffer *, const struct message *,
    const void *msg);

/*
 * A property list of names and values, ended by 0.  known holds count names;
 * values (all 0 where not given) go to value.  A copy, with the final 0, goes
 * to *copy and its length to *n; both stay untouched for NULL.
 * CL_INVALID_VALUE: an unknown name, or one twice.
 */
cl_int property_list_take(const cl_ulong *list, const cl_ulong *known,
    unsigned count, cl_ulong *value, cl_ulong **copy, size_t *n);

#endif
