/* SPDX-License-Identifier: ISC */
#include "hostd/move_private.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/bind.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_device.h"
#include "hostd/idtab.h"
#include "hostd/member.h"
#include "hostd/report.h"
#include "hostd/window.h"
#include "hostd/worker.h"

#define ORDERS_MAX 32
#define LOOK_MS 10		/* until the next look, when it is no time */
#define TELL_MS 1000		/* until a context that has to wait is told of */
#define HOLD_MS 1000		/* for the queues to become empty, at first */
#define HOLD_DOUBLINGS 5
#define MS INT64_C(1000000)

struct order {
	struct channel_move move;
	unsigned number;	/* of all orders; never 0 */
	unsigned moved;
	int64_t given;		/* or told of last, in ms */
	unsigned tries;		/* that took too long */
	int64_t not_before;	/* in ms */
};

static struct order orders[ORDERS_MAX];
static unsigned order_count, order_number;
static struct attempt *now;
static struct event *timer;

static void await_quiet(struct serve *, void *);

/* ---- telling ----------------------------------------------------------- */

static void __attribute__((format(printf, 5, 6)))
tell(struct serve *s, const struct channel_move *order, uint32_t to,
    bool again, const char *format, ...)
{
	struct channel_moved m = { .from = order->from, .to = to,
		.why = order->why, .again = again };
	va_list ap;

	va_start(ap, format);
	vsnprintf(m.text, sizeof(m.text), format, ap);
	va_end(ap);
	log_info("context on device %u %s%s", order->from,
	    to == MOVE_ANYWHERE ? "stays: " : "", m.text);
	if (s->start.moved != NULL)
		s->start.moved(&m);
}

/* ---- orders ------------------------------------------------------------ */

static void
set_timer(struct serve *s, int64_t ms)
{
	const struct timeval t = { ms / 1000, ms % 1000 * 1000 };

	if (timer != NULL)
		evtimer_add(timer, &t);
	else
		serve_fail(s, VGPU_ENOMEM, "out of memory");
}

static void
on_timer(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	move_look(arg);
}

static void
forget(struct order *o)
{
	*o = orders[--order_count];
}

bool
move_is_ordered(void)
{
	return order_count > 0;
}

void
move_order(struct serve *s, const struct channel_move *m)
{
	struct order *o = orders;

	if (timer == NULL)
		timer = evtimer_new(s->base, on_timer, s);
	while (o < orders + order_count && o->move.from != m->from)
		o++;
	if (o == orders + ORDERS_MAX)
		o--;
	if (o == orders + order_count)
		order_count++;
	*o = (struct order){ .move = *m, .number = ++order_number,
		.given = clock_ms() };
	set_timer(s, 0);
}

/* A device that is used again needs not be left. */
void
move_shut_changed(void)
{
	unsigned i;

	for (i = order_count; i-- > 0;)
		if (orders[i].move.why != MOVE_BALANCE &&
		    !bind_is_shut(orders[i].move.from))
			forget(&orders[i]);
}

/* ---- contexts ---------------------------------------------------------- */

bool
move_is_possible(const struct serve *s, const struct vcontext *c)
{
	return c->device_count == 1 && c->devices[0]->parent == NULL &&
	    bind_has_other(s, c);
}

struct search {
	const struct serve *serve;
	const struct order *order;
	struct vcontext *found;
};

static bool
is_on(const struct vcontext *c, uint32_t index)
{
	unsigned i;

	for (i = 0; i < c->device_count; i++)
		if (c->devices[i]->pool->index == index)
			return true;
	return false;
}

static void
consider(void *arg, void *object)
{
	struct search *f = arg;
	struct vcontext *c;

	if (f->found != NULL)
		return;
	c = move_context_of(f->serve, object);
	if (c != NULL && c->o.error == CL_SUCCESS &&
	    c->refused != f->order->number &&
	    is_on(c, f->order->move.from))
		f->found = c;
}

/* A context that is to move, and has not been found to stay. */
static struct vcontext *
find(const struct serve *s, const struct order *o)
{
	struct search f = { s, o, NULL };

	idtab_each(s->objects, consider, &f);
	return f.found;
}

/* ---- an attempt -------------------------------------------------------- */

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

	bind_end(a->to);
	end_attempt(a);
	if (held)
		dispatch_let_go(s);
}

static struct order *
order_of(const struct attempt *a)
{
	unsigned i;

	for (i = 0; i < order_count; i++)
		if (orders[i].move.from == a->order.from)
			return &orders[i];
	return NULL;
}

/* It stays where it is, and so it is left until the next order. */
static void
refuse(struct attempt *a, const char *why)
{
	const struct order *o = order_of(a);

	a->context->refused = o != NULL ? o->number : 0;
	tell(a->serve, &a->order, MOVE_ANYWHERE, false, "%s", why);
	set_timer(a->serve, 0);
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
	struct order *o = order_of(a);

	if (a->code != CL_SUCCESS) {
		move_drop(a);
		snprintf(why, sizeof(why), "%s can't be made on device %u:"
		    " error %d", a->what, a->to->pool->index, a->code);
		refuse(a, why);
		return;
	}
	move_swap(a);
	move_drop(a);
	bind_end(a->from);
	tell(s, &a->order, a->to->pool->index, false, "moved to device %u:"
	    " %llu bytes, %u programs, %zu objects; its client waited %d ms",
	    a->to->pool->index, (unsigned long long)a->bytes, a->programs,
	    a->count, pause_ms(a));
	if (o != NULL && ++o->moved == o->move.most)
		forget(o);
	end_attempt(a);
	dispatch_let_go(s);
	set_timer(s, 0);
}

static void
work(void *arg)
{
	move_make(arg);
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

static void
too_long(struct attempt *a)
{
	struct serve *s = a->serve;
	struct order *o = order_of(a);

	if (o != NULL) {
		if (o->tries < HOLD_DOUBLINGS)
			o->tries++;
		o->not_before = clock_ms() + ((int64_t)HOLD_MS << o->tries);
		tell(s, &o->move, MOVE_ANYWHERE, true, "its commands take"
		    " long; tried again soon");
	}
	set_timer(s, LOOK_MS);
	give_up(a);
}

static int64_t
hold_ms(const struct attempt *a)
{
	const struct order *o = order_of(a);

	return (int64_t)HOLD_MS << (o != NULL ? o->tries : 0);
}

/* Nothing of the context is under way any more; or soon. */
static void
await_quiet(struct serve *s, void *arg)
{
	struct attempt *a = arg;

	if (a->markers == 0 && !completion_is_due(s, a->context) &&
	    tell_all(a)) {
		a->quiet = true;
		if (!worker_run(s, work, on_made, a))
			refuse(a, "there is no thread for it");
	} else if (pause_ms(a) >= hold_ms(a)) {
		too_long(a);
	} else {
		set_timer(s, a->markers > 0 ? hold_ms(a) - pause_ms(a) : 1);
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

static void
come_back(struct serve *s, struct order *o, const char *why)
{
	if (clock_ms() - o->given >= TELL_MS) {
		o->given = INT64_MAX / 2;
		tell(s, &o->move, MOVE_ANYWHERE, true, "%s", why);
	}
	set_timer(s, LOOK_MS);
}

static void
begin(struct serve *s, struct vcontext *c, struct order *o,
    struct vdevice *to)
{
	struct attempt *a = calloc(1, sizeof(*a));
	const char *why = NULL;

	if (a == NULL) {
		bind_end(to);
		set_timer(s, TELL_MS);
		return;
	}
	now = a;
	a->serve = s;
	a->context = object_ref(c);
	a->from = c->devices[0];
	a->to = to;
	a->order = o->move;
	move_gather(a);
	if (device_open(s, to, &why) != CL_SUCCESS ||
	    (why = move_obstacle(a)) != NULL) {
		refuse(a, why);
	} else if ((why = move_delay(a)) != NULL) {
		give_up(a);
		come_back(s, o, why);
	} else {
		hold(a);
	}
}

/* What only the client can end; NULL: nothing. */
static const char *
needs_client(struct serve *s)
{
	if (window_is_any(s))
		return "its client is moving a body by itself";
	if (dispatch_is_behind() || dispatch_stalled(s))
		return "what its client said is not carried out yet";
	return NULL;
}

static void
try(struct serve *s, struct order *o, struct vcontext *c)
{
	const char *why;
	struct vdevice *to;

	if (!c->moves)
		why = c->device_count > 1 ? "it has several devices" :
		    c->devices[0]->parent != NULL ? "it has a part of the"
		    " device" : "no other device could run it";
	else if ((why = needs_client(s)) != NULL) {
		come_back(s, o, why);
		return;
	} else if ((to = bind_elsewhere(s, c, o->move.to)) !=
	    NULL) {
		begin(s, c, o, to);
		return;
	} else {
		why = "no other device that could run it may be used";
	}
	c->refused = o->number;
	tell(s, &o->move, MOVE_ANYWHERE, false, "%s", why);
	set_timer(s, 0);
}

void
move_look(struct serve *s)
{
	struct vcontext *c;
	struct order *o;

	if (now != NULL) {
		if (now->held_ns != 0 && !now->quiet && now->markers == 0)
			await_quiet(s, now);
		else if (!now->quiet && pause_ms(now) >= hold_ms(now))
			too_long(now);
		return;
	}
	while (order_count > 0) {
		o = &orders[order_count - 1];
		if ((c = find(s, o)) == NULL) {
			forget(o);
			continue;
		}
		if (clock_ms() >= o->not_before)
			try(s, o, c);
		else
			set_timer(s, o->not_before - clock_ms());
		return;
	}
}
