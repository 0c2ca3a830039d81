/* SPDX-License-Identifier: ISC */
#include "hostd/meter.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "hostd/exec_program.h"
#include "hostd/program_code.h"
#include "hostd/serve.h"
#include "hostd/usage.h"

#define PARTS 8		/* classes that are told apart between two ends */
#define STRETCHES 16

/* Launches of one class. */
struct part {
	struct usage_slot *slot;
	uint64_t count;
	uint64_t items;
};

/* Launches up to one whose end will be heard of. */
struct stretch {
	uint64_t end;		/* the number of the last one */
	uint64_t queued_ns;	/* as estimated when they were launched */
	unsigned parts;
	bool mixed;		/* there were more classes than there is room */
	struct part part[PARTS];
};

/* In a ring: those before last are closed. */
struct meter {
	pthread_mutex_t lock;
	struct usage *usage;
	unsigned device;
	uint64_t sent, reached;
	int64_t since;		/* nothing before it is still to run */
	unsigned first, count;
	struct stretch ring[STRETCHES];
};

/* ---- classes --------------------------------------------------------------- */

/* FNV-1a, of which nobody's safety depends. */
static uint64_t
hash(uint64_t h, const void *p, size_t n)
{
	const uint8_t *byte = p;

	while (n-- > 0)
		h = (h ^ *byte++) * 0x100000001b3u;
	return h;
}

#define HASH_BEGIN 0xcbf29ce484222325u

uint64_t
meter_kernel_key(struct vprogram *p, const char *name)
{
	struct program_code code;

	if (p->context->serve->start.usage == NULL)
		return 0;
	if (p->hash == 0) {
		p->hash = HASH_BEGIN;
		if (program_code_get(&code, &p->o, &p->constants))
			p->hash = hash(p->hash, code.bytes.p, code.bytes.n);
	}
	return hash(p->hash, name, strlen(name) + 1);
}

static uint64_t
items_of(const struct span *size)
{
	const uint64_t *v = size->p;
	uint64_t n = 1, i;

	for (i = 0; i < size->n; i++)
		if (__builtin_mul_overflow(n, v[i] > 0 ? v[i] : 1, &n))
			return UINT64_MAX;
	return n;
}

/* The class of a launch; a kernel knows that of its last one. */
static struct usage_slot *
class_of(const struct meter *m, struct vkernel *k, uint64_t items)
{
	const unsigned magnitude = 64 - (unsigned)__builtin_clzll(items);
	const uint64_t numbers[1] = { magnitude };
	uint64_t key;

	if (k->metered.slot != NULL && k->metered.device == m->device &&
	    k->metered.magnitude == magnitude)
		return k->metered.slot;
	key = hash(k->metered.key, numbers, sizeof(numbers));
	k->metered.device = m->device;
	k->metered.magnitude = magnitude;
	k->metered.slot = usage_class(m->usage, key != 0 ? key : 1, m->device);
	return k->metered.slot;
}

/* ---- launches -------------------------------------------------------------- */

static struct meter *
open_meter(struct vqueue *q)
{
	struct usage *u = q->context->serve->start.usage;
	struct meter *m;

	if (q->meter != NULL || u == NULL || (m = calloc(1, sizeof(*m))) ==
	    NULL)
		return q->meter;
	pthread_mutex_init(&m->lock, NULL);
	m->usage = u;
	m->device = q->device->pool->index;
	m->count = 1;
	return q->meter = m;
}

static struct stretch *
last(struct meter *m)
{
	return &m->ring[(m->first + m->count - 1) % STRETCHES];
}

static void
add_part(struct stretch *s, struct usage_slot *slot, uint64_t count,
    uint64_t items)
{
	unsigned i;

	for (i = 0; i < s->parts && s->part[i].slot != slot; i++)
		;
	if (slot == NULL || i == PARTS) {
		s->mixed = true;
		return;
	}
	if (i == s->parts)
		s->part[s->parts++] = (struct part){ .slot = slot };
	s->part[i].count += count;
	if (__builtin_add_overflow(s->part[i].items, items, &s->part[i].items))
		s->part[i].items = UINT64_MAX;
}

void
meter_launch(struct vqueue *q, struct vkernel *k, const struct span *size)
{
	struct meter *m = open_meter(q);
	const uint64_t items = items_of(size);
	struct usage_slot *slot;
	struct stretch *s;
	uint64_t ns = 0;

	if (m == NULL)
		return;
	if ((slot = class_of(m, k, items)) != NULL) {
		ns = usage_slot_ns(slot);
		usage_slot_launched(slot);
	}
	pthread_mutex_lock(&m->lock);
	if (m->sent == m->reached)
		m->since = clock_ns();
	s = last(m);
	s->end = ++m->sent;
	s->queued_ns += ns;
	add_part(s, slot, 1, items);
	usage_add_queued(m->usage, m->device, (int64_t)ns);
	pthread_mutex_unlock(&m->lock);
}

uint64_t
meter_mark(struct vqueue *q)
{
	struct meter *m = q->meter;
	uint64_t mark;

	if (m == NULL)
		return 0;
	pthread_mutex_lock(&m->lock);
	mark = m->sent == m->reached ? 0 : m->sent;
	/* Where the ring is full its last stretch goes on. */
	if (mark != 0 && last(m)->end == m->sent && m->count < STRETCHES) {
		m->count++;
		memset(last(m), 0, sizeof(struct stretch));
	}
	pthread_mutex_unlock(&m->lock);
	return mark;
}

/* ---- ends ------------------------------------------------------------------ */

static void
merge(struct stretch *to, const struct stretch *from)
{
	unsigned i;

	to->queued_ns += from->queued_ns;
	to->mixed |= from->mixed;
	for (i = 0; i < from->parts; i++)
		add_part(to, from->part[i].slot, from->part[i].count,
		    from->part[i].items);
}

/* Take all that has run out of the ring. */
static void
take(struct meter *m, uint64_t mark, struct stretch *out)
{
	struct stretch *s;

	memset(out, 0, sizeof(*out));
	while ((s = &m->ring[m->first])->end != 0 && s->end <= mark) {
		merge(out, s);
		memset(s, 0, sizeof(*s));
		if (m->count == 1)
			break;
		m->first = (m->first + 1) % STRETCHES;
		m->count--;
	}
}

/* How its parts share in the time: as they took so far, or by their size. */
static void
weigh(const struct stretch *s, double weight[PARTS])
{
	bool known = true;
	unsigned i;

	for (i = 0; i < s->parts; i++)
		known &= usage_slot_ns(s->part[i].slot) != 0;
	for (i = 0; i < s->parts; i++)
		weight[i] = known ? (double)s->part[i].count *
		    (double)usage_slot_ns(s->part[i].slot) :
		    (double)s->part[i].items;
}

static uint64_t
moved(uint64_t from, uint64_t to)
{
	if (from == 0)
		return to;
	return to < from ? from - (from - to) / 2 : from + (to - from) / 16;
}

/* They took so long; true time of the device that they stand for. */
static uint64_t
learn(const struct stretch *s, uint64_t ns)
{
	double weight[PARTS], all = 0;
	uint64_t total = 0, one;
	unsigned i;

	weigh(s, weight);
	for (i = 0; i < s->parts; i++)
		all += weight[i];
	for (i = 0; i < s->parts; i++) {
		one = (uint64_t)((double)ns * (weight[i] / all) /
		    (double)s->part[i].count);
		one = moved(usage_slot_ns(s->part[i].slot),
		    one > 0 ? one : 1);
		if (!s->mixed)
			usage_slot_set(s->part[i].slot, one);
		total += one * s->part[i].count;
	}
	return s->parts > 0 ? total : ns;
}

void
meter_reached(struct vqueue *q, uint64_t mark)
{
	struct meter *m = q->meter;
	struct stretch ran;
	uint64_t ns = 0;
	int64_t now;

	pthread_mutex_lock(&m->lock);
	now = clock_ns();
	if (mark > m->reached) {
		take(m, mark, &ran);
		m->reached = mark;
		ns = (uint64_t)(now - m->since);
		m->since = now;
		usage_add_queued(m->usage, m->device, -(int64_t)ran.queued_ns);
	}
	if (ns > 0 && (ran.parts > 0 || ran.mixed))
		usage_add_busy(m->usage, m->device, learn(&ran, ns));
	pthread_mutex_unlock(&m->lock);
}

void
meter_move(struct vqueue *q)
{
	struct meter *m = q->meter;
	struct stretch rest;

	if (m == NULL)
		return;
	pthread_mutex_lock(&m->lock);
	take(m, UINT64_MAX, &rest);
	usage_add_queued(m->usage, m->device, -(int64_t)rest.queued_ns);
	m->reached = m->sent;
	m->device = q->device->pool->index;
	pthread_mutex_unlock(&m->lock);
}

void
meter_close(struct vqueue *q)
{
	struct meter *m = q->meter;
	struct stretch rest;

	if (m == NULL)
		return;
	take(m, UINT64_MAX, &rest);
	usage_add_queued(m->usage, m->device, -(int64_t)rest.queued_ns);
	pthread_mutex_destroy(&m->lock);
	free(m);
	q->meter = NULL;
}

/* ---- memory and builds ----------------------------------------------------- */

void
meter_memory(const struct vcontext *c, size_t size, bool gone)
{
	struct usage *u = c->serve->start.usage;
	unsigned i;

	for (i = 0; u != NULL && size > 0 && i < c->device_count; i++)
		usage_add_memory(u, c->devices[i]->pool->index,
		    gone ? -(int64_t)size : (int64_t)size);
}

void
meter_built(const struct vprogram *p, uint64_t ns)
{
	struct usage *u = p->context->serve->start.usage;
	unsigned i;

	for (i = 0; u != NULL && i < p->device_count; i++)
		usage_built(u, p->devices[i]->pool->index, ns);
}
