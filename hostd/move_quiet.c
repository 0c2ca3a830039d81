/* SPDX-License-Identifier: ISC */
/*
 * move_quiet - one attempt to move a context, from the moment at which its
 * client is held back to the one at which it goes on.
 */
#include "hostd/move_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "hostd/bind.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_device.h"
#include "hostd/lost.h"
#include "hostd/report.h"
#include "hostd/worker.h"

#define RETRY_MS 1000		/* without memory */
#define MS INT64_C(1000000)

static struct attempt *now;

/* ---- its end ----------------------------------------------------------- */

static void
end_attempt(struct attempt *a)
{
	now = NULL;
	move_ungather(a);
	object_unref(a->context);
	if (a->ended != NULL)
		clReleaseEvent(a->ended);
	/* Its markers tell it when they end, however late. */
	a->abandoned = true;
	if (a->markers == 0)
		free(a);
}

static void
give_up(struct attempt *a)
{
	struct serve *s = a->serve;
	const bool held = a->held_ns != 0;

	if (a->to != NULL)
		bind_end(a->to);
	end_attempt(a);
	if (held)
		dispatch_let_go(s);
}

static void
refuse(struct attempt *a, const char *why)
{
	const struct order *o = move_order_of(a);

	if (o != NULL)
		move_leave(a->serve, a->context, o, why);
	give_up(a);
}

/* ---- afterwards -------------------------------------------------------- */

static int
pause_ms(const struct attempt *a)
{
	return (int)((clock_ns() - a->held_ns) / MS);
}

static void
on_made(struct serve *s, void *arg)
{
	struct attempt *a = arg;
	char why[CHANNEL_TEXT_MAX];

	if (a->code != CL_SUCCESS) {
		lost_note(s, a->to, a->code);
		move_drop(a);
		snprintf(why, sizeof(why), "%s can't be made on device %u:"
		    " error %d", a->what, a->to->pool->index, a->code);
		refuse(a, why);
		return;
	}
	move_swap(a);
	move_drop(a);
	bind_end(a->from);
	move_tell(s, &a->order, a->to->pool->index, false, "moved to device %u:"
	    " %llu bytes, %u programs, %zu objects; its client waited %d ms",
	    a->to->pool->index, (unsigned long long)a->bytes, a->programs,
	    a->count, pause_ms(a));
	move_followed(a);
	end_attempt(a);
	dispatch_let_go(s);
	move_set_timer(s, 0);
}

static void
work(void *arg)
{
	move_make(arg);
}

/*
 * A worker that is in the vendor's code can't be called back, and has half of
 * the context; its client would wait for ever.  So the session ends, as it would
 * if the loop hung and its client lost patience (watchdog.h), but with a reason.
 */
static void
look_after(struct attempt *a)
{
	const int64_t left = atomic_load(&a->until) - clock_ms();

	if (left > 0)
		move_set_timer(a->serve, left);
	else
		serve_fail(a->serve, VGPU_ECL, "a context moves to device %u, "
		    "and the vendor's call for %s does not return",
		    a->to->pool->index, atomic_load(&a->doing));
}

/* ---- quiet ------------------------------------------------------------- */

static bool
tell_all(struct attempt *a)
{
	bool all = true;
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->object[i]->kind == OBJ_QUEUE &&
		    a->object[i]->error == CL_SUCCESS)
			all &= report_all(a->serve,
			    (struct vqueue *)a->object[i]);
	serve_flush(a->serve);
	return all;
}

static int64_t
hold_ms(const struct attempt *a)
{
	return move_hold_ms(a->context, move_order_of(a));
}

static void
too_long(struct attempt *a)
{
	move_too_long(a->serve, a->context, move_order_of(a));
	give_up(a);
}

/* Nothing of the context is under way any more; or soon. */
static void
await_quiet(struct serve *s, void *arg)
{
	struct attempt *a = arg;

	if (a->markers == 0 && !completion_is_due(s, a->context) &&
	    tell_all(a)) {
		a->quiet = true;
		move_step(a, "its beginning", false);
		if (worker_run(s, work, on_made, a))
			look_after(a);
		else
			refuse(a, "there is no thread for it");
	} else if (pause_ms(a) >= hold_ms(a)) {
		too_long(a);
	} else {
		move_set_timer(s, a->markers > 0 ? hold_ms(a) - pause_ms(a) : 1);
	}
}

static void
on_marker_ended(struct serve *s, void *arg)
{
	struct attempt *a = arg;

	a->markers--;
	if (!a->abandoned)
		await_quiet(s, a);
	else if (a->markers == 0)
		free(a);
}

static void
on_marker(struct serve *s, void *arg, cl_int status)
{
	(void)status;
	serve_defer(s, on_marker_ended, arg);
}

static bool
mark(struct attempt *a, const struct vqueue *q)
{
	cl_event e;

	if (clEnqueueMarkerWithWaitList(native(q, 0), 0, NULL, &e) !=
	    CL_SUCCESS)
		return false;
	a->markers++;
	if (completion_watch(a->serve, e, on_marker, a) != CL_SUCCESS) {
		a->markers--;
		return false;
	}
	return clFlush(native(q, 0)) == CL_SUCCESS;
}

/* Let what is in the queues run, and nothing more come. */
static void
hold(struct attempt *a)
{
	size_t i;

	dispatch_hold(a->serve);
	a->held_ns = clock_ns();
	for (i = 0; i < a->count; i++)
		if (a->object[i]->kind == OBJ_QUEUE &&
		    a->object[i]->error == CL_SUCCESS &&
		    !mark(a, (const struct vqueue *)a->object[i])) {
			refuse(a, "a queue of it does not work any more");
			return;
		}
	await_quiet(a->serve, a);
}

/* ---- beginning --------------------------------------------------------- */

static struct attempt *
attempt_new(struct serve *s, struct vcontext *c, const struct order *o)
{
	struct attempt *a = calloc(1, sizeof(*a));

	if (a == NULL)
		return NULL;
	a->serve = s;
	a->context = object_ref(c);
	a->from = c->devices[0];
	a->order = o->move;
	move_gather(a);
	return a;
}

/*
 * Choose the new device; false: it was given up.  While the parent was asked it
 * may have said that all may stay.
 */
static bool
choose(struct attempt *a, unsigned order)
{
	struct serve *s = a->serve;
	const struct order *o;

	a->to = bind_elsewhere(s, a->context, a->order.to);
	o = move_numbered(order);
	if (o != NULL && a->to != NULL)
		return true;
	if (o != NULL)
		move_leave(s, a->context, o, move_why_alone(a->context));
	move_set_timer(s, 0);
	give_up(a);
	return false;
}

void
move_begin(struct serve *s, struct vcontext *c, struct order *o)
{
	struct attempt *a = attempt_new(s, c, o);
	const char *why = NULL;

	if (a == NULL) {
		move_set_timer(s, RETRY_MS);
		return;
	}
	now = a;
	if ((why = move_delay(a)) != NULL) {
		give_up(a);
		move_delayed(s, c, o, why);
	} else if (choose(a, o->number)) {
		if (device_open(s, a->to, &why) != CL_SUCCESS ||
		    (why = move_obstacle(a)) != NULL)
			refuse(a, why);
		else {
			c->wait.delay = 0;
			hold(a);
		}
	}
}

bool
move_go_on(struct serve *s)
{
	if (now == NULL)
		return false;
	if (now->held_ns == 0)
		return true;
	if (now->quiet)
		look_after(now);
	else if (now->markers == 0)
		await_quiet(s, now);
	else if (pause_ms(now) >= hold_ms(now))
		too_long(now);
	else	/* The timer has served another order, or was early. */
		move_set_timer(s, hold_ms(now) - pause_ms(now));
	return true;
}
