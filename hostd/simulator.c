/* SPDX-License-Identifier: ISC */
#include "hostd/simulator.h"

#include <stdlib.h>

#include "hostd/completion.h"

struct simulated {
	TAILQ_ENTRY(simulated) entry;
	struct vqueue *queue;	/* a reference */
	unsigned order;
	cl_event event;		/* a reference, as the others */
	cl_uint wait_count;
	cl_event wait[];
};

/* Not run yet, in the order of their messages. */
static TAILQ_HEAD(, simulated) waiting = TAILQ_HEAD_INITIALIZER(waiting);
static bool running;

bool
simulator_runs(const struct vqueue *q)
{
	return q->mixed != NULL && q->device->pool->simulator;
}

bool
simulator_add(struct vqueue *q, cl_event event, cl_uint n,
    const cl_event *wait, unsigned order)
{
	struct simulated *c = malloc(sizeof(*c) + n * sizeof(cl_event));
	cl_uint i;

	if (c == NULL)
		return false;
	c->queue = object_ref(q);
	c->order = order;
	c->event = event;
	clRetainEvent(event);
	c->wait_count = n;
	for (i = 0; i < n; i++) {
		c->wait[i] = wait[i];
		clRetainEvent(wait[i]);
	}
	TAILQ_INSERT_TAIL(&waiting, c, entry);
	return true;
}

static void
simulated_free(struct simulated *c)
{
	cl_uint i;

	TAILQ_REMOVE(&waiting, c, entry);
	for (i = 0; i < c->wait_count; i++)
		clReleaseEvent(c->wait[i]);
	clReleaseEvent(c->event);
	object_unref(c->queue);
	free(c);
}

static bool
is_ready(const struct simulated *c)
{
	const struct simulated *other;
	cl_uint i;

	TAILQ_FOREACH(other, &waiting, entry) {
		if (other == c)
			break;
		if (other->queue == c->queue && (c->queue->in_order ||
		    (c->order & ORDER_AFTER) || (other->order & ORDER_BEFORE)))
			return false;
	}
	for (i = 0; i < c->wait_count; i++)
		if (completion_status(c->wait[i]) > CL_COMPLETE)
			return false;
	return true;
}

/* It fails where what it waited for has failed, which its event tells. */
static bool
run_some(void)
{
	struct simulated *c, *next;
	bool ran = false;

	for (c = TAILQ_FIRST(&waiting); c != NULL; c = next) {
		next = TAILQ_NEXT(c, entry);
		if (!is_ready(c))
			continue;
		clWaitForEvents(1, &c->event);
		simulated_free(c);
		ran = true;
	}
	return ran;
}

void
simulator_run(void)
{
	if (running)
		return;
	running = true;
	while (!TAILQ_EMPTY(&waiting) && run_some())
		;
	running = false;
}
