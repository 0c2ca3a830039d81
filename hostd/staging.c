/* SPDX-License-Identifier: ISC */
#include "hostd/staging_private.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/arena.h"
#include "hostd/command.h"
#include "hostd/dispatch.h"
#include "hostd/staging_memory.h"
#include "protocol/shared.h"

/* Memory that was not used for as long as this goes back to the system. */
static const struct timeval idle = { .tv_sec = 1 };

static void
on_trim(int fd, short what, void *arg)
{
	struct serve *s = arg;

	(void)fd;
	(void)what;
	if (staging_memory_trim())
		evtimer_add(s->transfers->trim, &idle);
}

static void
on_grace(int fd, short what, void *arg)
{
	struct serve *s = arg;

	(void)fd;
	(void)what;
	s->transfers->late = true;
	staging_receive_again(s, NULL);
}

enum vgpu_err
staging_open(struct serve *s, struct err_text *text)
{
	struct transfers *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	TAILQ_INIT(&t->expected);
	TAILQ_INIT(&t->outbound);
	pthread_cond_init(&t->wake, NULL);
	s->transfers = t;
	t->coding = coding_new();
	t->trim = evtimer_new(s->base, on_trim, s);
	t->grace = evtimer_new(s->base, on_grace, s);
	if (t->coding == NULL || t->trim == NULL || t->grace == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	return VGPU_OK;
}

/* ---- memory ------------------------------------------------------------ */

/* Memory of its own for st; false: there is none. */
static bool
take_memory(struct serve *s, struct staging *st)
{
	st->data = staging_memory_take(st->size, &st->room);
	if (st->data == NULL)
		return false;
	if (!evtimer_pending(s->transfers->trim, NULL))
		evtimer_add(s->transfers->trim, &idle);
	pthread_mutex_lock(&s->lock);
	s->staging += st->size;
	pthread_mutex_unlock(&s->lock);
	return true;
}

struct staging *
staging_new(struct serve *s, uint64_t transfer, size_t size, bool in)
{
	struct staging *st = calloc(1, sizeof(*st));

	if (st == NULL)
		return NULL;
	st->transfer = transfer;
	st->size = size;
	st->in = in;
	if (take_memory(s, st))
		return st;
	free(st);
	return NULL;
}

struct staging *
staging_borrow(struct serve *s, uint64_t transfer, void *p, size_t size)
{
	struct staging *st = calloc(1, sizeof(*st));

	(void)s;
	if (st == NULL)
		return NULL;
	st->transfer = transfer;
	st->data = p;
	st->size = size;
	st->borrowed = true;
	return st;
}

struct staging *
staging_direct(struct serve *s, uint64_t transfer, cl_mem mem, size_t size)
{
	struct staging *st = staging_borrow(s, transfer, NULL, size);

	if (st == NULL)
		return NULL;
	st->in = true;
	st->mem = mem;
	clRetainMemObject(mem);
	return st;
}

bool
staging_spill(struct serve *s, struct staging *st)
{
	st->borrowed = !take_memory(s, st);
	return !st->borrowed;
}

struct staging *
staging_place(struct serve *s, uint64_t transfer, size_t size, bool in)
{
	void *p = arena_at(transfer & TRANSFER_REST, size);
	struct staging *st;

	if (p == NULL || (st = staging_borrow(s, transfer, p, size)) == NULL)
		return NULL;
	st->in = in;
	st->in_arena = true;
	return st;
}

/* True: st is still expected, and stays for the data lane to end. */
static bool
abandon(struct serve *s, struct staging *st)
{
	bool kept;

	pthread_mutex_lock(&s->lock);
	kept = st->listed || st->watched;
	st->abandoned = true;
	pthread_mutex_unlock(&s->lock);
	return kept;
}

void
staging_send_credit(struct serve *s, size_t size)
{
	const struct msg_credit m = { .size = size };

	serve_send(s, &desc_credit, &m, false);
}

void
staging_free(struct serve *s, struct staging *st)
{
	if (st == NULL || abandon(s, st))
		return;
	if (st->in_arena && st->in)
		arena_give_back(s, st->transfer & TRANSFER_REST, false);
	if (st->credit)
		staging_send_credit(s, st->size);
	if (st->shut)
		dispatch_count_shut(s, -1);
	if (st->gate != NULL && !st->in)
		command_set_event(st->gate, CL_COMPLETE);
	if (st->gate != NULL)
		clReleaseEvent(st->gate);
	if (st->mem != NULL)
		clReleaseMemObject(st->mem);
	if (!st->borrowed) {
		staging_memory_give(st->data, st->room);
		pthread_mutex_lock(&s->lock);
		s->staging -= st->size;
		pthread_mutex_unlock(&s->lock);
	}
	free(st);
}

bool
staging_scarce(struct serve *s)
{
	bool scarce;

	pthread_mutex_lock(&s->lock);
	scarce = s->staging > SERVE_STAGING_MAX;
	pthread_mutex_unlock(&s->lock);
	return scarce;
}

/* ---- in ---------------------------------------------------------------- */

struct staging *
staging_find(struct serve *s, uint64_t transfer)
{
	struct staging *st;

	pthread_mutex_lock(&s->lock);
	TAILQ_FOREACH(st, &s->transfers->expected, entry)
		if (st->transfer == transfer)
			break;
	pthread_mutex_unlock(&s->lock);
	return st;
}

void
staging_receive_again(struct serve *s, void *arg)
{
	(void)arg;

	evtimer_del(s->transfers->grace);
	if (s->transfers->paused && s->data_event != NULL) {
		s->transfers->paused = false;
		event_add(s->data_event, NULL);
		event_active(s->data_event, EV_READ, 0);
	}
}

void
staging_expect(struct serve *s, struct staging *st)
{
	pthread_mutex_lock(&s->lock);
	TAILQ_INSERT_TAIL(&s->transfers->expected, st, entry);
	st->listed = true;
	pthread_mutex_unlock(&s->lock);
	staging_receive_again(s, NULL);
}

/* Its length is not known, so the entry stays: it costs little. */
void
staging_absorb(struct serve *s, uint64_t transfer)
{
	struct staging *st;

	if (staging_find(s, transfer) != NULL ||
	    (st = calloc(1, sizeof(*st))) == NULL)
		return;
	st->transfer = transfer;
	st->size = SIZE_MAX;
	st->in = true;
	st->abandoned = true;
	staging_expect(s, st);
}

void
staging_remove(struct serve *s, struct staging *st)
{
	pthread_mutex_lock(&s->lock);
	if (st->listed)
		TAILQ_REMOVE(&s->transfers->expected, st, entry);
	st->listed = false;
	pthread_mutex_unlock(&s->lock);
}

void
staging_pull(struct serve *s, const struct staging *st)
{
	const struct msg_pull m = { .transfer = st->transfer };

	serve_send(s, &desc_pull, &m, true);
}

void
staging_open_gate(struct serve *s, struct staging *st, cl_int status)
{
	cl_event gate = NULL;
	bool shut = false, last;

	/* From here on the command may end and free st. */
	pthread_mutex_lock(&s->lock);
	if (st->listed)
		TAILQ_REMOVE(&s->transfers->expected, st, entry);
	st->listed = false;
	if (!st->abandoned && !st->lost && (gate = st->gate) != NULL) {
		clRetainEvent(gate);
		shut = st->shut;
		st->shut = false;
	}
	last = st->abandoned;
	pthread_mutex_unlock(&s->lock);
	if (last)
		staging_free(s, st);
	if (gate == NULL)
		return;
	if (command_set_event(gate, status) != CL_SUCCESS)
		serve_fail(s, VGPU_ECL, "a command can't be let go");
	if (shut)
		dispatch_count_shut(s, -1);
	clReleaseEvent(gate);
}

/* The last of the two, its map and its body, puts it into its place. */
void
staging_land(struct serve *s, struct staging *st)
{
	memcpy(st->place, st->data, st->size);
	staging_open_gate(s, st, CL_COMPLETE);
}

/* Its map has failed, lock held: the command's gate, for it to fail, too. */
static cl_event
lose(struct serve *s, struct staging *st)
{
	st->lost = true;
	if (st->whole && st->listed) {
		TAILQ_REMOVE(&s->transfers->expected, st, entry);
		st->listed = false;
	}
	if (st->gate != NULL)
		clRetainEvent(st->gate);
	return st->gate;
}

/* From here on the command may end, and does what else is to be done. */
static void
fail_gate(struct serve *s, cl_event gate, cl_int status)
{
	if (command_set_event(gate, status < 0 ? status :
	    CL_OUT_OF_RESOURCES) != CL_SUCCESS)
		serve_fail(s, VGPU_ECL, "a command can't be let go");
	clReleaseEvent(gate);
}

void
staging_mapped(struct serve *s, void *arg, cl_int status)
{
	struct staging *st = arg;
	bool whole = false, held, gone;
	cl_event gate = NULL;

	pthread_mutex_lock(&s->lock);
	st->watched = false;
	gone = st->abandoned && !st->listed;
	held = st->held;
	if (!st->abandoned && status == CL_COMPLETE) {
		st->ready = true;
		whole = st->whole;
	} else if (!st->abandoned) {
		gate = lose(s, st);
	}
	pthread_mutex_unlock(&s->lock);
	if (gone)
		staging_free(s, st);
	else if (whole)
		staging_land(s, st);
	if (gate != NULL)
		fail_gate(s, gate, status);
	if (held && !gone)
		serve_defer(s, staging_receive_again, NULL);
}

void
staging_give_up(struct serve *s, struct staging *st, cl_int status)
{
	staging_open_gate(s, st, status);
}
