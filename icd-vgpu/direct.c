/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/direct.h"

#include <stdlib.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/usm.h"
#include "protocol/shared.h"

/* What the host holds back until so many windows are closed. */
struct gate {
	uint64_t id;
	unsigned windows;
};

struct layout
direct_flat(struct mem *b, size_t offset, size_t n)
{
	const uint8_t *place = mem_place(b);

	return layout_flat(place != NULL ? place + offset : NULL, n);
}

static void
copy(const struct direct *d)
{
	if (d->read)
		layout_copy(&d->program, &d->inside);
	else
		layout_copy(&d->inside, &d->program);
}

/* ---- windows and gates ------------------------------------------------- */

void
direct_open(struct queue *q, struct direct *d)
{
	d->gate = NULL;
	LIST_INSERT_HEAD(&q->direct, d, entry);
	q->direct_count++;
}

static void
send_close(const struct gate *g)
{
	const struct msg_window_close m = { .id = g->id };

	call_async(&desc_window_close, &m, 0);
}

static void
window_close(struct queue *q, struct direct *d)
{
	struct gate *g;
	bool opens = false;

	pthread_mutex_lock(&q->lock);
	q->direct_count--;
	if ((g = d->gate) == NULL)
		LIST_REMOVE(d, entry);
	else if (--g->windows == 0)
		opens = true;
	pthread_mutex_unlock(&q->lock);
	if (!opens)
		return;
	send_close(g);
	free(g);
	call_flush();
}

cl_int
direct_guard(struct queue *q)
{
	struct msg_gate m = { .command_queue.id = q->o.id };
	struct direct *d;
	struct gate *g;
	cl_int code;

	if (LIST_EMPTY(&q->direct))
		return CL_SUCCESS;
	if ((g = calloc(1, sizeof(*g))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	g->id = m.id = transfer_number();
	if ((code = call_async(&desc_gate, &m, 0)) != CL_SUCCESS) {
		free(g);
		return code;
	}
	while ((d = LIST_FIRST(&q->direct)) != NULL) {
		LIST_REMOVE(d, entry);
		d->gate = g;
		g->windows++;
	}
	return CL_SUCCESS;
}

void
direct_end(struct queue *q, struct direct *d, cl_int status)
{
	if (status == CL_SUCCESS)
		copy(d);
	window_close(q, d);
}

/* ---- now --------------------------------------------------------------- */

/* Nothing before the command is left to be done; both locks held. */
static bool
is_due(const struct command *c)
{
	const struct queue *q = c->queue;
	uint64_t i;

	if (q->completed < q->serial || q->direct_count > 0)
		return false;
	for (i = 0; i < c->list.n; i++)
		if (event_status((const struct event *)(const void *)
		    c->given[i]) != CL_COMPLETE)
			return false;
	return true;
}

/*
 * If the command could run now, open a window for it (d may be NULL: it needs
 * none).
 */
static bool
begin_now(struct command *c, struct direct *d)
{
	struct queue *q = c->queue;
	bool due;

	if (q->records != NULL)
		return false;
	pthread_mutex_lock(&q->lock);
	call_lock();
	due = is_due(c);
	call_unlock();
	if (due && d != NULL)
		direct_open(q, d);
	pthread_mutex_unlock(&q->lock);
	return due;
}

/* It is done; the host learns of it if the program will name its event. */
static cl_int
end_now(struct command *c, const struct message *desc, const void *msg)
{
	struct event *e = c->event;
	cl_int code;

	if (c->event_ret == NULL)
		return command_drop(c, CL_SUCCESS);
	c->blocking = false;
	if ((code = command_send(c, desc, msg, NULL)) == CL_SUCCESS)
		event_end_here(e);
	return code;
}

cl_int
direct_order(struct command *c, const struct message *desc, const void *msg)
{
	const bool timed = c->queue->properties & CL_QUEUE_PROFILING_ENABLE;

	if (!(timed && c->event_ret != NULL) && begin_now(c, NULL))
		return end_now(c, desc, msg);
	return command_send(c, desc, msg, NULL);
}

/* ---- the ways ---------------------------------------------------------- */

/* Have the host open a window for it. */
static cl_int
by_window(struct command *c, const struct message *desc, const void *msg,
    uint64_t *transfer, const struct direct *d, struct mem *b)
{
	cl_int code = transfer_window(&d->inside, &d->program, c->event,
	    d->read, transfer);
	uint64_t id = *transfer;

	if (code != CL_SUCCESS)
		return command_drop(c, code);
	/* The program may release it when the call returns. */
	transfer_hold(id, &b->o);
	if ((code = command_send(c, desc, msg, NULL)) != CL_SUCCESS)
		transfer_forget(id);
	return code;
}

/*
 * True: the command was carried out, with *code.  The vendor's own commands
 * have better stamps, and are better for little that nobody waits for.
 */
static bool
try_direct(struct command *c, const struct message *desc, const void *msg,
    uint64_t *transfer, struct direct *d, struct mem *b, cl_int *code)
{
	const struct queue *q = c->queue;
	const bool timed = q->properties & CL_QUEUE_PROFILING_ENABLE;

	if (d->inside.base == NULL || q->records != NULL ||
	    (timed && c->event_ret != NULL) || usm_is_device(d->program.base))
		return false;
	*transfer = transfer_make(TRANSFER_OWN, 0);
	if (begin_now(c, d)) {
		direct_end(c->queue, d, CL_SUCCESS);
		*code = end_now(c, desc, msg);
	} else if (c->blocking && q->in_order) {
		c->direct = d;
		*code = command_send(c, desc, msg, NULL);
	} else if (c->event != NULL &&
	    transfer_is_bulk(layout_bytes(&d->program))) {
		*code = by_window(c, desc, msg, transfer, d, b);
	} else {
		*transfer = 0;
		return false;
	}
	return true;
}

cl_int
direct_read(struct command *c, const struct message *desc, const void *msg,
    uint64_t *transfer, struct mem *b, const struct layout *inside,
    const struct layout *to, struct mem *keep)
{
	struct direct d = { .inside = *inside, .program = *to, .read = true };
	cl_int code;

	if (try_direct(c, desc, msg, transfer, &d, b, &code))
		return code;
	return enqueue_read(c, desc, msg, transfer, to, keep);
}

cl_int
direct_write(struct command *c, const struct message *desc, const void *msg,
    struct span *data, uint64_t *transfer, struct mem *b,
    const struct layout *inside, const struct layout *from, struct mem *keep)
{
	struct direct d = { .inside = *inside, .program = *from };
	cl_int code;

	*data = (struct span){ NULL, 0 };
	if (try_direct(c, desc, msg, transfer, &d, b, &code))
		return code;
	return enqueue_write(c, desc, msg, data, transfer, from, keep);
}
