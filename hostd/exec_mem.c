/* SPDX-License-Identifier: ISC */
/*
 * exec_mem - what buffers, images and pipes have in common: their life.
 */
#include "hostd/exec_mem.h"

#include <stdlib.h>

#include "hostd/arena.h"
#include "hostd/calls.h"
#include "hostd/exec_svm.h"
#include "hostd/member.h"
#include "hostd/meter.h"
#include "hostd/remake.h"

/* Of more than this the client is told at once. */
#define LARGE ((size_t)1 << 20)

static void give_place_back(struct serve *, uint64_t place, size_t size);

/* ---- the end ----------------------------------------------------------- */

struct asked {
	struct asked *next;
	struct serve *serve;
	uint64_t serial;
};

static void
tell_gone(struct asked *a)
{
	const struct reply_clSetMemObjectDestructorCallback gone = { 0 };

	serve_reply(a->serve, &desc_clSetMemObjectDestructorCallback,
	    a->serial, &gone);
	serve_flush(a->serve);
	free(a);
}

/*
 * It is gone when its native objects are released and no command uses them any
 * more.  Which they are is known at its end only, as a context may move.
 */
struct parting {
	atomic_uint members;
	struct asked *asked;
};

static void CL_CALLBACK
on_part_gone(cl_mem mem, void *arg)
{
	struct parting *p = arg;
	struct asked *a;

	(void)mem;
	if (atomic_fetch_sub(&p->members, 1) != 1)
		return;
	while ((a = p->asked) != NULL) {
		p->asked = a->next;
		tell_gone(a);
	}
	free(p);
}

/* The object is about to be released in its members. */
static void
part(struct vmem *b)
{
	struct parting *p = malloc(sizeof(*p));
	unsigned m;

	if (p == NULL)
		return;
	atomic_init(&p->members, 1);
	p->asked = b->asked;
	for (m = 0; m < MEMBERS_MAX; m++) {
		if (native(b, m) == NULL)
			continue;
		atomic_fetch_add(&p->members, 1);
		if (clSetMemObjectDestructorCallback(native(b, m),
		    on_part_gone, p) != CL_SUCCESS)
			on_part_gone(NULL, p);
	}
	on_part_gone(NULL, p);
}

static void
vmem_fini(struct vobj *o)
{
	struct vmem *b = (struct vmem *)o;
	unsigned i;

	if (b->asked != NULL)
		part(b);
	if (b->counted > 0)
		meter_memory(b->context, b->counted, true);
	for (i = 0; i < MEMBERS_MAX; i++)
		if (native(b, i) != NULL)
			clReleaseMemObject(native(b, i));
	if (b->placed && native(b, 0) == NULL)
		give_place_back(b->context->serve, b->place, b->size);
	replica_fini(&b->replica);
	object_unref(b->parent);
	object_unref(b->context);
}

void
exec_clSetMemObjectDestructorCallback(struct serve *s, struct call *call,
    struct msg_clSetMemObjectDestructorCallback *m)
{
	struct vmem *b = m->memobj.obj;
	struct asked *a = malloc(sizeof(*a));

	if (a == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return;
	}
	*a = (struct asked){ b->asked, s, call->serial };
	b->asked = a;
}

/* ---- the beginning ----------------------------------------------------- */

struct vmem *
vmem_new(struct serve *s, struct call *call, uint64_t id, struct vcontext *c,
    struct vmem *parent, cl_mem_flags flags)
{
	struct vmem *b = object_new(s, call, OBJ_MEM, id, sizeof(*b),
	    vmem_fini);

	if (b == NULL)
		return NULL;
	b->context = object_ref(c);
	b->parent = object_ref(parent);
	b->read_only = (flags & CL_MEM_READ_ONLY) != 0;
	return b;
}

/* Content is in the first member, where it was made. */
static cl_int
open_replica(struct vmem *b, const void *content)
{
	const uint8_t valid = content != NULL ? 1 : REPLICA_ANYWHERE;

	if (!context_is_mixed(b->context) || b->parent != NULL)
		return CL_SUCCESS;
	return replica_init(&b->replica, b->size != 0 ? b->size : 1, valid) ?
	    CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

/* What it takes of its devices' memory; a part of another one takes nothing. */
static void
count(struct vmem *b)
{
	if (b->parent != NULL)
		return;
	b->counted = b->size;
	if (b->size == 0 && native(b, 0) != NULL)
		clGetMemObjectInfo(native(b, 0), CL_MEM_SIZE,
		    sizeof(b->counted), &b->counted, NULL);
	meter_memory(b->context, b->counted, false);
}

void
vmem_made(struct serve *s, struct call *call, struct vmem *b,
    const void *content, cl_int code)
{
	const struct reply_clFinish done = { 0 };

	if (code == CL_SUCCESS)
		code = open_replica(b, content);
	if (code != CL_SUCCESS) {
		call_fail(s, call, code, NULL);
		return;
	}
	count(b);
	call_reply(s, call, &done);
}

cl_mem_flags
vmem_flags(cl_mem_flags flags, const void *body)
{
	flags &= ~(cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR |
	    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY |
	    CL_MEM_HOST_NO_ACCESS);
	return body != NULL ? flags | CL_MEM_COPY_HOST_PTR : flags;
}

/* ---- in the arena ------------------------------------------------------ */

/* For as long as a vendor has its memory; two do, while a context moves. */
struct tenancy {
	struct serve *serve;
	uint64_t place;
	size_t size;
	atomic_uint natives;
};

static void
give_place_back(struct serve *s, uint64_t place, size_t size)
{
	arena_give_back(s, place, size >= LARGE);
}

static void CL_CALLBACK
on_left(cl_mem mem, void *arg)
{
	struct tenancy *t = arg;

	(void)mem;
	if (atomic_fetch_sub(&t->natives, 1) != 1)
		return;
	give_place_back(t->serve, t->place, t->size);
	free(t);
}

/* The callback's share of the tenancy is taken where it is set. */
static bool
leaves_tell(struct tenancy *t, cl_mem mem)
{
	atomic_fetch_add(&t->natives, 1);
	if (clSetMemObjectDestructorCallback(mem, on_left, t) == CL_SUCCESS)
		return true;
	atomic_fetch_sub(&t->natives, 1);
	return false;
}

static cl_int
make_placed(struct vmem *b, unsigned member, cl_mem_flags flags, void *memory)
{
	cl_int code;
	cl_mem made;

	flags = vmem_flags(flags, NULL) & ~(cl_mem_flags)CL_MEM_ALLOC_HOST_PTR;
	made = clCreateBuffer(native(b->context, member), flags |
	    CL_MEM_USE_HOST_PTR, b->size, memory, &code);
	if (code != CL_SUCCESS)
		return code;
	if (!leaves_tell(b->tenancy, made)) {
		clReleaseMemObject(made);
		return CL_OUT_OF_HOST_MEMORY;
	}
	b->o.native[member] = made;
	return CL_SUCCESS;
}

cl_int
vmem_make_placed(struct serve *s, struct vmem *b, cl_mem_flags flags,
    uint64_t place)
{
	void *memory = arena_at(place, b->size);
	cl_int code;

	if (memory == NULL || !allocation_can_share(s, b->context))
		return CL_INVALID_HOST_PTR;
	b->placed = true;
	b->place = place;
	arena_prepare(memory, b->size);
	if ((b->tenancy = calloc(1, sizeof(*b->tenancy))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	*b->tenancy = (struct tenancy){ .serve = s, .place = place,
		.size = b->size };
	if ((code = make_placed(b, 0, flags, memory)) != CL_SUCCESS) {
		free(b->tenancy);
		b->tenancy = NULL;
	}
	return code;
}

cl_int
vmem_place_again(struct vmem *b, unsigned member)
{
	struct msg_clCreateBufferWithProperties m;

	if (!recipe_decode(&b->o, &desc_clCreateBufferWithProperties, &m))
		return CL_INVALID_MEM_OBJECT;
	return make_placed(b, member, m.flags, arena_at(b->place, b->size));
}

bool
vmem_is_placed(const struct vmem *b)
{
	while (b->parent != NULL)
		b = b->parent;
	return b->placed;
}
