/* SPDX-License-Identifier: ISC */
#include "hostd/idtab.h"

#include <stdlib.h>
#include <string.h>

struct slot {
	void *obj;
	uint32_t generation;
	uint32_t kind;
};

struct idtab {
	struct slot *slot;
	uint32_t size;
	uint32_t max;
};

struct idtab *
idtab_new(uint32_t slots_max)
{
	struct idtab *t = calloc(1, sizeof(*t));

	if (t != NULL)
		t->max = slots_max;
	return t;
}

void
idtab_free(struct idtab *t)
{
	if (t == NULL)
		return;
	free(t->slot);
	free(t);
}

static enum vgpu_err
idtab_grow(struct idtab *t, uint32_t i)
{
	struct slot *slot;
	uint64_t size = t->size ? t->size : 64;

	while (size <= i)
		size *= 2;
	if (size > t->max)
		size = t->max;
	slot = realloc(t->slot, size * sizeof(*slot));
	if (slot == NULL)
		return VGPU_ENOMEM;
	memset(slot + t->size, 0, (size - t->size) * sizeof(*slot));
	t->slot = slot;
	t->size = (uint32_t)size;
	return VGPU_OK;
}

enum vgpu_err
idtab_put(struct idtab *t, uint64_t id, enum obj_kind kind, void *obj)
{
	uint32_t i = (uint32_t)id, generation = (uint32_t)(id >> 32);
	enum vgpu_err e;

	if (i >= t->max)
		return VGPU_EQUOTA;
	if (i >= t->size && (e = idtab_grow(t, i)) != VGPU_OK)
		return e;
	if (i == 0 || t->slot[i].obj != NULL ||
	    generation <= t->slot[i].generation)
		return VGPU_EHANDLE;
	t->slot[i] = (struct slot){ obj, generation, kind };
	return VGPU_OK;
}

static struct slot *
idtab_find(const struct idtab *t, uint64_t id, enum obj_kind kind)
{
	uint32_t i = (uint32_t)id;

	if (i >= t->size || t->slot[i].obj == NULL ||
	    t->slot[i].generation != (uint32_t)(id >> 32) ||
	    (kind != OBJ_NONE && t->slot[i].kind != kind))
		return NULL;
	return &t->slot[i];
}

void *
idtab_get(const struct idtab *t, uint64_t id, enum obj_kind kind)
{
	const struct slot *slot = idtab_find(t, id, kind);

	return slot != NULL ? slot->obj : NULL;
}

void *
idtab_take(struct idtab *t, uint64_t id, enum obj_kind kind)
{
	struct slot *slot = idtab_find(t, id, kind);
	void *obj;

	if (slot == NULL)
		return NULL;
	obj = slot->obj;
	slot->obj = NULL;
	return obj;
}

void
idtab_each(const struct idtab *t, void (*fn)(void *arg, void *obj), void *arg)
{
	uint32_t i;

	for (i = 0; i < t->size; i++)
		if (t->slot[i].obj != NULL)
			fn(arg, t->slot[i].obj);
}
