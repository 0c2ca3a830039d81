/* SPDX-License-Identifier: ISC */
/*
 * engine - queues, events, and the one thread that carries out commands.
 *
 * A command waits in one list, in the order of the enqueue calls, until its
 * queue was flushed, its wait list has ended and its queue's order lets it.
 * Then the thread runs it and calls the event's callbacks, without the lock.
 */
#ifndef VGPU_TESTS_FAKECL_ENGINE_H
#define VGPU_TESTS_FAKECL_ENGINE_H

#include <sys/queue.h>

#include "tests/fakecl/object.h"

#define ENGINE_COMMAND_NS 1000	/* of a command on the fake clock */

struct _cl_command_queue {
	struct object o;
	cl_context context;
	cl_device_id device;
	cl_command_queue_properties properties;
	cl_ulong enqueued;	/* commands */
	cl_ulong flushed;	/* that many may begin */
};

enum stamp { STAMP_QUEUED, STAMP_SUBMIT, STAMP_START, STAMP_END,
	STAMP_COMPLETE, STAMPS };

struct callback;

struct _cl_event {
	struct object o;
	cl_context context;
	cl_command_queue queue;		/* NULL: user event */
	cl_command_type type;
	cl_int status;
	cl_ulong stamp[STAMPS];
	STAILQ_HEAD(, callback) callbacks;
};

/* What the thread does; CL_COMPLETE or a negative code. */
typedef cl_int run_function(void *arg);

/* A command as an enqueue function describes it. */
struct order {
	const char *function;	/* __func__ */
	cl_command_queue queue;
	cl_command_type type;
	cl_uint wait_count;
	const cl_event *wait;
	cl_event *event;
	cl_bool blocking;
	bool barrier;		/* later ones wait for it */
	run_function *run;	/* NULL: nothing to do */
	size_t size;		/* of what arg points to, which is copied */
	const void *arg;
	void (*drop)(void *arg);	/* when it has ended; may be NULL */
};

/*
 * Check and accept a command.  On failure drop is called, too, and the code
 * returned.  A blocking one is flushed, and waited for.
 */
cl_int engine_enqueue(const struct order *);

/* The clock of stamps and timers. */
cl_ulong engine_now(void);
/* Let time pass in the command that is run. */
void engine_spend(cl_ulong ns);

void engine_flush(cl_command_queue);
void engine_wait(cl_event);
/* All commands of a queue. */
void engine_wait_queue(cl_command_queue);

/* Set a status that is lower than the last one, and call back. */
void event_reach(cl_event, cl_int status);

cl_event event_make(cl_context, cl_command_queue, cl_command_type);

static inline bool
event_ended(const struct _cl_event *e)
{
	return e->status <= CL_COMPLETE;
}

#endif
