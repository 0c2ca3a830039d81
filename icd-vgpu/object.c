/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/object.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/trace.h"
#include "protocol/messages.h"

#define OBJECT_MAGIC 0x75706776u
#define OBJECT_DEAD 0x64616564u

/* What live objects are known by; it is another in a child after fork. */
static uint32_t magic = OBJECT_MAGIC;

/* The slot's object, or the next free slot; and the last generation. */
struct slot {
	struct object *object;
	uint32_t generation;
	uint32_t next_free;
};

static struct {
	pthread_mutex_t lock;
	struct slot *slot;	/* slot 0 is never used */
	uint32_t size, used, first_free;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

/*
 * Events come and go with commands, so their memory is kept for the next ones:
 * a list through loader_data, under the table's lock.
 */
#define SPARE_MAX 4096

static struct object *spare;
static unsigned spare_count;

static bool
table_grow(void)
{
	uint32_t size = table.size ? table.size * 2 : 1024;
	struct slot *slot;

	if (size > 1u << 30 ||
	    (slot = realloc(table.slot, size * sizeof(*slot))) == NULL)
		return false;
	memset(slot + table.size, 0, (size - table.size) * sizeof(*slot));
	table.slot = slot;
	table.size = size;
	if (table.used == 0)
		table.used = 1;
	return true;
}

static bool
table_put(struct object *o)
{
	uint32_t i;

	pthread_mutex_lock(&table.lock);
	if ((i = table.first_free) != 0)
		table.first_free = table.slot[i].next_free;
	else if (table.used < table.size || table_grow())
		i = table.used++;
	if (i != 0) {
		table.slot[i].object = o;
		o->id = i | (uint64_t)++table.slot[i].generation << 32;
	}
	pthread_mutex_unlock(&table.lock);
	return i != 0;
}

static void
table_take(uint64_t id)
{
	uint32_t i = (uint32_t)id;

	pthread_mutex_lock(&table.lock);
	table.slot[i].object = NULL;
	/* A slot whose generations are used up stays empty for ever. */
	if (table.slot[i].generation != UINT32_MAX) {
		table.slot[i].next_free = table.first_free;
		table.first_free = i;
	}
	pthread_mutex_unlock(&table.lock);
}

static struct object *
memory_new(enum obj_kind kind, size_t size)
{
	struct object *o = NULL;

	if (kind != OBJ_EVENT)
		return calloc(1, size);
	pthread_mutex_lock(&table.lock);
	if ((o = spare) != NULL) {
		spare = o->loader_data;
		spare_count--;
	}
	pthread_mutex_unlock(&table.lock);
	if (o == NULL)
		return calloc(1, size);
	/* All events are of one size. */
	memset(o, 0, size);
	return o;
}

static void
memory_free(struct object *o)
{
	bool kept;

	if (o->kind != OBJ_EVENT) {
		free(o);
		return;
	}
	pthread_mutex_lock(&table.lock);
	if ((kept = spare_count < SPARE_MAX)) {
		o->loader_data = spare;
		spare = o;
		spare_count++;
	}
	pthread_mutex_unlock(&table.lock);
	if (!kept)
		free(o);
}

void *
object_new(enum obj_kind kind, size_t size, void (*fini)(struct object *))
{
	struct object *o = memory_new(kind, size);

	if (o == NULL)
		return NULL;
	o->dispatch = trace_wants_summary() ? &icd_dispatch_summary :
	    &icd_dispatch;
	o->magic = magic;
	o->kind = kind;
	o->fini = fini;
	atomic_init(&o->uses, 1);
	atomic_init(&o->refs, 1);
	atomic_init(&o->holders, 1);
	if (!table_put(o)) {
		memory_free(o);
		return NULL;
	}
	return o;
}

struct object *
object_check(const void *handle, enum obj_kind kind)
{
	struct object *o = (void *)(uintptr_t)handle;

	if (o == NULL || o->magic != magic || o->kind != kind)
		return NULL;
	return o;
}

cl_int
object_retain(struct object *o)
{
	object_use(o);
	atomic_fetch_add(&o->refs, 1);
	return CL_SUCCESS;
}

cl_int
object_release(struct object *o)
{
	atomic_fetch_sub(&o->refs, 1);
	object_unuse(o);
	return CL_SUCCESS;
}

void *
object_use(void *object)
{
	struct object *o = object;

	atomic_fetch_add_explicit(&o->uses, 1, memory_order_relaxed);
	return o;
}

void
object_unuse(void *object)
{
	struct object *o = object;
	struct msg_release m;

	if (o == NULL || o->magic != magic ||
	    atomic_fetch_sub(&o->uses, 1) != 1)
		return;
	m.object = o->id;
	/*
	 * The message leaves before the slot is free, so that the host sees
	 * this id's end before the next generation's beginning.
	 */
	if (o->fini != NULL)
		o->fini(o);
	if (!o->local)
		call_async(&desc_release, &m, 0);
	table_take(o->id);
	o->magic = OBJECT_DEAD;
	object_let_go(o);
}

struct object *
object_hold(struct object *o)
{
	atomic_fetch_add(&o->holders, 1);
	return o;
}

void
object_let_go(struct object *o)
{
	if (o != NULL && atomic_fetch_sub(&o->holders, 1) == 1)
		memory_free(o);
}

bool
object_use_live(struct object *o)
{
	unsigned n = atomic_load(&o->uses);

	while (n != 0)
		if (atomic_compare_exchange_weak(&o->uses, &n, n + 1))
			return true;
	return false;
}

struct object *
object_find(uint64_t id, enum obj_kind kind)
{
	uint32_t i = (uint32_t)id;
	struct object *o = NULL;

	pthread_mutex_lock(&table.lock);
	if (i != 0 && i < table.used && (o = table.slot[i].object) != NULL &&
	    (o->id != id || (kind != OBJ_NONE && o->kind != kind) ||
	    !object_use_live(o)))
		o = NULL;
	pthread_mutex_unlock(&table.lock);
	return o;
}

void
object_each(void (*visit)(struct object *))
{
	struct object *o;
	uint32_t i;

	for (i = 1;; i++) {
		pthread_mutex_lock(&table.lock);
		if (i >= table.used) {
			pthread_mutex_unlock(&table.lock);
			return;
		}
		o = table.slot[i].object;
		if (o != NULL && !object_use_live(o))
			o = NULL;
		pthread_mutex_unlock(&table.lock);
		if (o == NULL)
			continue;
		visit(o);
		object_unuse(o);
	}
}

void
object_fork(enum fork_phase phase)
{
	if (phase == FORK_CHILD) {
		magic++;
		table.slot = NULL;
		table.size = table.used = table.first_free = 0;
	}
	fork_mutex(&table.lock, phase);
}

void
object_revive(struct object *o)
{
	o->magic = magic;
}

bool
object_adopt(struct object *o)
{
	return table_put(o);
}

void
object_kill(struct object *o)
{
	o->magic = OBJECT_DEAD;
}

bool
object_ids(uint64_t *ids, const void *handles, uint64_t n, enum obj_kind kind)
{
	struct object *const *handle = handles;
	struct object *o;
	uint64_t i;

	for (i = 0; i < n; i++) {
		if ((o = object_check(handle[i], kind)) == NULL)
			return false;
		ids[i] = o->id;
	}
	return true;
}

cl_int
info_bytes(struct info_out *out, const void *p, size_t n)
{
	if (out->value != NULL) {
		if (out->size < n)
			return CL_INVALID_VALUE;
		if (n > 0)
			memcpy(out->value, p, n);
	}
	if (out->size_ret != NULL)
		*out->size_ret = n;
	return CL_SUCCESS;
}

cl_int
info_string(struct info_out *out, const char *s)
{
	return info_bytes(out, s, strlen(s) + 1);
}
