/* SPDX-License-Identifier: ISC */
/*
 * The queues that commands were put into since the devices were last told to
 * begin.
 */
#include "hostd/dispatch.h"

#include <stdatomic.h>

#include "hostd/cascade.h"
#include "hostd/command.h"
#include "hostd/lost.h"
#include "hostd/serve.h"
#include "hostd/simulator.h"

#define BATCH_QUEUES 64

static struct vqueue *touched[BATCH_QUEUES];
static unsigned touched_count;
static atomic_int shut_count;

/* Without it nothing may ever end, and the client would wait for that. */
static void
flush_queue(const struct vqueue *q)
{
	cl_int code = command_flush(native(q, q->member));

	lost_note(q->context->serve, q->device, code);
	if (code != CL_SUCCESS)
		serve_fail(q->context->serve, VGPU_ECL,
		    "the vendor's clFlush failed with error %d", code);
}

void
dispatch_note_queue(struct vqueue *q)
{
	unsigned i;

	if (simulator_runs(q))
		return;
	for (i = 0; i < touched_count; i++)
		if (touched[i] == q)
			return;
	if (touched_count == BATCH_QUEUES) {
		flush_queue(q);
		return;
	}
	touched[touched_count++] = object_ref(q);
}

/* A body on its way blocks all simulators: it will be there soon. */
static bool
must_wait(const struct vqueue *q)
{
	return q->device->pool->simulator &&
	    (q->blocked || atomic_load(&shut_count) > 0);
}

static void
mark_blocked(struct serve *s)
{
	bool simulator = false;
	unsigned i;

	for (i = 0; i < touched_count; i++) {
		simulator |= touched[i]->device->pool->simulator;
		touched[i]->blocked = false;
	}
	if (simulator)
		cascade_mark(s);
}

bool
dispatch_is_behind(void)
{
	return touched_count > 0;
}

void
dispatch_end_batch(struct serve *s)
{
	unsigned i, kept = 0;

	mark_blocked(s);
	for (i = 0; i < touched_count; i++) {
		if (must_wait(touched[i])) {
			touched[kept++] = touched[i];
			continue;
		}
		flush_queue(touched[i]);
		object_unref(touched[i]);
	}
	touched_count = kept;
	simulator_run();
	serve_flush(s);
}

static void
flush_again(struct serve *s, void *arg)
{
	(void)arg;
	dispatch_end_batch(s);
}

void
dispatch_count_shut(struct serve *s, int change)
{
	if (atomic_fetch_add(&shut_count, change) == 1 && change < 0)
		serve_defer(s, flush_again, NULL);
}
