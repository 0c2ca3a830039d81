/* SPDX-License-Identifier: ISC */
/* To the host. */
#include "icd-vgpu/transfer_private.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "icd-vgpu/arena.h"
#include "icd-vgpu/call.h"
#include "icd-vgpu/client.h"
#include "protocol/shared.h"
#include "transport/link_data.h"

static bool
take_credit(struct client *c, uint64_t n)
{
	bool ok;

	call_lock();
	ok = c->eager_used + n <= c->eager_max;
	if (ok)
		c->eager_used += n;
	call_unlock();
	return ok;
}

cl_int
payload_open(struct payload *p, const struct layout *l, struct event *event,
    bool copy)
{
	struct client *c = client_current();
	uint64_t n = layout_bytes(l);

	memset(p, 0, sizeof(*p));
	if (call_alive() != CL_SUCCESS)
		return CL_DEVICE_NOT_AVAILABLE;
	if (n <= c->inline_max) {
		p->data = (struct span){ l->base, n };
		if (layout_is_flat(l))
			return CL_SUCCESS;
		if ((p->packed = malloc(n)) == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		layout_gather(l, p->packed);
		p->data.p = p->packed;
		return CL_SUCCESS;
	}
	if ((p->place = arena_new(ARENA_BODIES, n)) != NULL) {
		layout_gather(l, p->place);
		p->transfer = transfer_make(TRANSFER_PLACE,
		    arena_offset(p->place));
		return CL_SUCCESS;
	}
	if (client_data_lane(c) == NULL)
		return CL_DEVICE_NOT_AVAILABLE;
	if ((p->t = transfer_new(l, event, false)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	p->transfer = p->t->id;
	p->eager = copy || take_credit(c, n);
	p->t->busy = p->eager;
	if (p->eager)
		pthread_mutex_lock(&c->eager_lock);
	return CL_SUCCESS;
}

/* Write a body to the data lane, straight from the program's memory. */
static void
transfer_send(struct client *c, const struct transfer *t)
{
	struct link *data = client_data_lane(c);
	struct msg_data m = { .transfer = t->id };
	struct err_text text;
	size_t room;
	uint8_t *p;

	for (; data != NULL && m.offset < t->total; m.offset += m.size) {
		p = layout_place(&t->layout, m.offset, &room);
		m.size = room < CODING_MAX ? room : CODING_MAX;
		if (link_send_data(data, c->coded ? c->coding : NULL, &m, p,
		    CLOCK_NEVER, &text) != VGPU_OK) {
			client_die(c, text.s);
			return;
		}
	}
	/* What the transport still holds nobody else might flush. */
	if (data != NULL)
		link_flush_wait(data, CLOCK_NEVER, NULL);
}

void
payload_send(struct payload *p)
{
	struct client *c = client_current();

	free(p->packed);
	if (p->t == NULL || !p->eager)
		return;
	/* The host reads the data lane no further than control lets it. */
	call_flush();
	transfer_send(c, p->t);
	pthread_mutex_unlock(&c->eager_lock);
	transfer_free(p->t);
}

void
payload_drop(struct payload *p)
{
	free(p->packed);
	arena_free(p->place);
	if (p->t != NULL && p->eager)
		pthread_mutex_unlock(&client_current()->eager_lock);
	transfer_free(p->t);
}

static bool
is_outbound(const struct transfer *t)
{
	return !t->inbound;
}

void
transfer_pulled(uint64_t id)
{
	struct transfer *t = transfer_take(id, is_outbound);

	if (t == NULL)
		return;	/* its event has failed meanwhile */
	transfer_send(client_current(), t);
	transfer_free(t);
}
