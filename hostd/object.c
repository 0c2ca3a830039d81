/* SPDX-License-Identifier: ISC */
#include "hostd/object.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/idtab.h"
#include "hostd/remake.h"
#include "hostd/serve.h"

static struct recipe *
recipe_new(const struct call *call)
{
	struct recipe *r = malloc(sizeof(*r) + call->len);

	if (r == NULL)
		return NULL;
	r->number = call->message->number;
	r->len = call->len;
	memcpy(r->body, call->body, call->len);
	return r;
}

bool
recipe_decode(const struct vobj *o, const struct message *m, void *out)
{
	const struct recipe *r = o->recipe;

	return r != NULL && r->number == m->number && codec_decode(r->body,
	    r->len, m->fields, m->field_count, out, NULL) == VGPU_OK;
}

/* Events are not made again: they end. */
static bool
has_recipe(enum obj_kind kind)
{
	return kind != OBJ_EVENT;
}

void *
object_new(struct serve *s, struct call *call, enum obj_kind kind,
    uint64_t id, size_t size, void (*fini)(struct vobj *))
{
	struct vobj *o = calloc(1, size);
	enum vgpu_err e;

	if (o == NULL) {
		serve_fail(s, VGPU_ENOMEM, "out of memory");
		return NULL;
	}
	o->kind = kind;
	o->id = id;
	o->fini = fini;
	atomic_init(&o->refs, 1);
	if (has_recipe(kind) && (o->recipe = recipe_new(call)) == NULL) {
		serve_fail(s, VGPU_ENOMEM, "out of memory");
		free(o);
		return NULL;
	}
	if ((e = idtab_put(s->objects, id, kind, o)) != VGPU_OK) {
		serve_fail(s, e == VGPU_EHANDLE ? VGPU_EPROTO : e,
		    "%s: id %u.%u can't be used for a new object",
		    call->message->name, (unsigned)id, (unsigned)(id >> 32));
		free(o->recipe);
		free(o);
		return NULL;
	}
	return o;
}

void *
object_ref(void *object)
{
	struct vobj *o = object;

	if (o != NULL)
		atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
	return o;
}

void
object_unref(void *object)
{
	struct vobj *o = object;

	if (o == NULL || atomic_fetch_sub(&o->refs, 1) != 1)
		return;
	if (o->fini != NULL)
		o->fini(o);
	free(o->recipe);
	free(o);
}
