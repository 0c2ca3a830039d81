/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/transfer_private.h"

#include <stdlib.h>

#include "icd-vgpu/arena.h"
#include "icd-vgpu/call.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/event.h"
#include "icd-vgpu/queue.h"
#include "protocol/shared.h"

/* ---- the list ---------------------------------------------------------- */

uint64_t
transfer_number(void)
{
	static atomic_uint_fast64_t last;

	return atomic_fetch_add(&last, 1) + 1;
}

/* Enter one of this id, with what is known of it. */
static struct transfer *
transfer_enter(const struct transfer *like, uint64_t id,
    const struct layout *l, struct event *event, bool inbound)
{
	struct client *c = client_current();
	struct transfer *t = malloc(sizeof(*t));

	if (t == NULL)
		return NULL;
	*t = *like;
	t->id = id;
	t->layout = *l;
	t->total = layout_bytes(l);
	t->inbound = inbound;
	if (event != NULL)
		t->event = object_use(event);
	call_lock();
	TAILQ_INSERT_TAIL(&c->transfers, t, entry);
	call_unlock();
	return t;
}

struct transfer *
transfer_new(const struct layout *l, struct event *event, bool inbound)
{
	return transfer_enter(&(struct transfer){ .id = 0 },
	    transfer_number(), l, event, inbound);
}

struct transfer *
transfer_find(uint64_t id)
{
	struct transfer *t;

	TAILQ_FOREACH(t, &client_current()->transfers, entry)
		if (t->id == id)
			return t;
	return NULL;
}

/* What it has, of one that is off the list. */
static void
transfer_fini(struct transfer *t)
{
	arena_free(t->place);
	if (t->window)
		call_expect(-1);
	object_unuse(t->event);
	object_unuse(t->held);
	free(t);
}

void
transfer_free(struct transfer *t)
{
	if (t == NULL)
		return;
	call_lock();
	TAILQ_REMOVE(&client_current()->transfers, t, entry);
	call_changed();
	call_unlock();
	transfer_fini(t);
}

void
transfer_hold(uint64_t id, struct object *o)
{
	struct transfer *t;

	if (id == 0)
		return;
	call_lock();
	if ((t = transfer_find(id)) != NULL && t->held == NULL)
		t->held = object_use(o);
	call_unlock();
}

bool
transfer_is_bulk(uint64_t n)
{
	const struct client *c = client_current();

	return c != NULL && n > c->inline_max;
}

bool
transfer_missing(const struct queue *q, uint64_t serial, bool in_order)
{
	const struct transfer *t;

	TAILQ_FOREACH(t, &client_current()->transfers, entry) {
		if (!t->inbound || t->event == NULL || t->event->queue != q)
			continue;
		if (t->event->serial == serial ||
		    (in_order && t->event->serial < serial))
			return true;
	}
	return false;
}

void
transfer_end_event(const struct event *e, bool failed)
{
	struct transfer *t, *next;

	for (t = TAILQ_FIRST(&client_current()->transfers); t != NULL;
	    t = next) {
		next = TAILQ_NEXT(t, entry);
		if (t->event != e || t->busy || (t->inbound && !failed))
			continue;
		TAILQ_REMOVE(&client_current()->transfers, t, entry);
		/* The caller holds the event, so this use is not the last. */
		transfer_fini(t);
	}
}

/* ---- in the arena ------------------------------------------------------ */

/* Expect a body in the arena; NULL: there is no room, or no memory. */
static struct transfer *
expect_place(const struct layout *l, struct event *event)
{
	struct transfer like = { .place = arena_new(ARENA_BODIES,
	    layout_bytes(l)) }, *t;

	if (like.place == NULL)
		return NULL;
	t = transfer_enter(&like, transfer_make(TRANSFER_PLACE,
	    arena_offset(like.place)), l, event, true);
	if (t == NULL)
		arena_free(like.place);
	return t;
}

cl_int
transfer_window(const struct layout *inside, const struct layout *l,
    struct event *event, bool inbound, uint64_t *id)
{
	const struct transfer like = { .window = true, .inside = *inside };
	struct transfer *t = transfer_enter(&like, transfer_make(
	    TRANSFER_WINDOW, transfer_number()), l, event, inbound);

	if (t == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	call_expect(1);
	*id = t->id;
	return CL_SUCCESS;
}

static void
copy_ready(const struct transfer *t)
{
	const struct msg_window_close m = { .id = t->id & TRANSFER_REST };

	if (!t->window) {
		layout_scatter(&t->layout, t->place);
		return;
	}
	if (t->inbound)
		layout_copy(&t->layout, &t->inside);
	else
		layout_copy(&t->inside, &t->layout);
	call_async(&desc_window_close, &m, 0);
	call_flush();
}

struct transfer *
transfer_take(uint64_t id, bool (*may)(const struct transfer *))
{
	struct transfer *t;

	call_lock();
	t = transfer_find(id);
	if (t != NULL && (t->busy || !may(t)))
		t = NULL;
	if (t != NULL)
		t->busy = true;
	call_unlock();
	return t;
}

static bool
is_shared(const struct transfer *t)
{
	return t->window || t->place != NULL;
}

void
transfer_ready(uint64_t id)
{
	struct transfer *t = transfer_take(id, is_shared);

	if (t == NULL)
		return;	/* its event has failed meanwhile */
	copy_ready(t);
	transfer_free(t);
	event_fire_all();
}

/* ---- from the host ----------------------------------------------------- */

cl_int
transfer_expect(const struct layout *l, struct event *event, uint64_t *id)
{
	struct client *c = client_current();
	struct transfer *t;

	*id = 0;
	if (call_alive() != CL_SUCCESS)
		return CL_DEVICE_NOT_AVAILABLE;
	if (layout_bytes(l) == 0)
		return CL_SUCCESS;
	t = layout_bytes(l) > c->inline_max ? expect_place(l, event) : NULL;
	if (t == NULL && layout_bytes(l) > c->inline_max &&
	    client_data_lane(c) == NULL)
		return CL_DEVICE_NOT_AVAILABLE;
	if (t == NULL && (t = transfer_new(l, event, true)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	*id = t->id;
	return CL_SUCCESS;
}

void
transfer_forget(uint64_t id)
{
	struct transfer *t;

	if (id == 0)
		return;
	call_lock();
	t = transfer_find(id);
	call_unlock();
	transfer_free(t);
}

void *
transfer_place(uint64_t id, uint64_t at, size_t *room)
{
	struct transfer *t;
	uint8_t *p = NULL;
	size_t wanted = *room;

	call_lock();
	t = transfer_find(id);
	if (t != NULL && t->inbound && at < t->total) {
		p = layout_place(&t->layout, at, room);
		if (*room > wanted)
			*room = wanted;
	}
	call_unlock();
	return p;
}

void
transfer_landed(uint64_t id, size_t n)
{
	struct transfer *t;

	call_lock();
	t = transfer_find(id);
	if (t != NULL && (t->landed += n) < t->total)
		t = NULL;
	call_unlock();
	if (t == NULL)
		return;
	transfer_free(t);
	event_fire_all();
}
