/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/mem.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/arena.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/destructor.h"
#include "icd-vgpu/map.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/command.h"

#define ACCESS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY)
#define HOST_PTR \
	(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)
#define HOST_ACCESS \
	(CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)

/* ---- life -------------------------------------------------------------- */

static void
mem_fini(struct object *o)
{
	struct mem *m = (struct mem *)o;

	destructor_release(m->destructors);
	map_fini(m);
	pthread_mutex_destroy(&m->lock);
	free(m->property);
	object_unuse(m->parent);
	object_unuse(m->context);
}

struct mem *
mem_new(struct context *context, cl_mem_object_type type)
{
	struct mem *m = object_new(OBJ_MEM, sizeof(*m), mem_fini);

	if (m == NULL)
		return NULL;
	pthread_mutex_init(&m->lock, NULL);
	m->context = object_use(context);
	m->type = type;
	return m;
}

void
mem_drop(struct mem *m)
{
	if (m == NULL)
		return;
	/* An id that the host refused is in use there until it is released. */
	m->o.local = !m->told;
	if (!m->told)
		arena_free(m->place);
	object_unuse(m);
}

cl_int
mem_take_properties(struct mem *m, const cl_mem_properties *p)
{
	if (p == NULL)
		return CL_SUCCESS;
	if (p[0] != 0)
		return CL_INVALID_PROPERTY;
	if ((m->property = calloc(1, sizeof(*p))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	m->property_count = 1;
	return CL_SUCCESS;
}

/* ---- handles and relations --------------------------------------------- */

struct mem *
mem_check_buffer(cl_mem handle)
{
	struct mem *m = mem_check(handle);

	return m != NULL && m->type == CL_MEM_OBJECT_BUFFER ? m : NULL;
}

struct mem *
mem_check_image(cl_mem handle)
{
	struct mem *m = mem_check(handle);

	return m != NULL && mem_is_image(m) ? m : NULL;
}

struct mem *
mem_root(struct mem *m, size_t *offset)
{
	size_t at = 0;

	for (; m->parent != NULL; m = m->parent)
		at += m->offset;
	if (offset != NULL)
		*offset = at;
	return m;
}

uint8_t *
mem_place(struct mem *m)
{
	size_t offset;
	struct mem *root = mem_root(m, &offset);

	return root->place != NULL ? root->place + offset : NULL;
}

/* ---- flags ------------------------------------------------------------- */

static bool
one_at_most(cl_mem_flags flags)
{
	return (flags & (flags - 1)) == 0;
}

cl_int
mem_check_flags(cl_mem_flags flags)
{
	if ((flags & ~(cl_mem_flags)(ACCESS | HOST_PTR | HOST_ACCESS)) != 0 ||
	    !one_at_most(flags & ACCESS) || !one_at_most(flags & HOST_ACCESS))
		return CL_INVALID_VALUE;
	if ((flags & CL_MEM_USE_HOST_PTR) &&
	    (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

cl_int
mem_check_host_ptr(cl_mem_flags flags, const void *host_ptr)
{
	bool wanted = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

	return wanted == (host_ptr != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

/* Does a parent's restriction to one way forbid what is wanted? */
static bool
widens(cl_mem_flags parent, cl_mem_flags given, cl_mem_flags only,
    cl_mem_flags wanted)
{
	return (parent & only) && (given & wanted);
}

cl_int
mem_inherit_flags(const struct mem *parent, cl_mem_flags given,
    cl_mem_flags *flags)
{
	const cl_mem_flags p = parent->flags;

	if (mem_check_flags(given) != CL_SUCCESS || (given & HOST_PTR) ||
	    widens(p, given, CL_MEM_WRITE_ONLY,
	    CL_MEM_READ_WRITE | CL_MEM_READ_ONLY) ||
	    widens(p, given, CL_MEM_READ_ONLY,
	    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY) ||
	    widens(p, given, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY) ||
	    widens(p, given, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY) ||
	    widens(p, given, CL_MEM_HOST_NO_ACCESS,
	    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY))
		return CL_INVALID_VALUE;
	*flags = given | (p & HOST_PTR);
	if ((given & ACCESS) == 0)
		*flags |= p & ACCESS;
	if ((given & HOST_ACCESS) == 0)
		*flags |= p & HOST_ACCESS;
	return CL_SUCCESS;
}

cl_mem_flags
mem_wire_flags(cl_mem_flags flags)
{
	return flags & (ACCESS | CL_MEM_ALLOC_HOST_PTR);
}

/* ---- use by commands --------------------------------------------------- */

cl_int
mem_check_command(const struct command *c, const struct mem *m)
{
	const struct mem *up;
	uint64_t align;
	int error;

	if (command_check_context(c, m->context) != CL_SUCCESS)
		return CL_INVALID_CONTEXT;
	for (up = m; up != NULL; up = up->parent)
		if ((error = atomic_load(&up->o.error)) != CL_SUCCESS)
			return error;
	if (m->parent == NULL || mem_is_image(m))
		return CL_SUCCESS;
	align = device_u64(c->queue->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
	if (align != 0 && m->offset % align != 0)
		return CL_MISALIGNED_SUB_BUFFER_OFFSET;
	return CL_SUCCESS;
}

cl_int
mem_check_host_read(const struct mem *m)
{
	return m->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS) ?
	    CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int
mem_check_host_write(const struct mem *m)
{
	return m->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS) ?
	    CL_INVALID_OPERATION : CL_SUCCESS;
}

/* ---- calls ------------------------------------------------------------- */

cl_int
icd_clSetMemObjectDestructorCallback(cl_mem memobj, pfn_mem pfn_notify,
    void *user_data)
{
	struct mem *m = mem_check(memobj);
	struct msg_clSetMemObjectDestructorCallback msg;

	if (m == NULL)
		return CL_INVALID_MEM_OBJECT;
	if (pfn_notify == NULL)
		return CL_INVALID_VALUE;
	msg.memobj.id = m->o.id;
	return destructor_add(&m->destructors, OBJ_MEM, m,
	    (union destructor_function){ .mem = pfn_notify }, user_data,
	    &desc_clSetMemObjectDestructorCallback, &msg);
}

static cl_uint
map_count(struct mem *m)
{
	cl_uint n;

	pthread_mutex_lock(&m->lock);
	n = m->map_count;
	pthread_mutex_unlock(&m->lock);
	return n;
}

cl_int
query_mem_object(struct object *o, cl_uint param, struct info_out *out)
{
	struct mem *m = (struct mem *)o;

	switch (param) {
	case CL_MEM_TYPE:
		return INFO_VALUE(out, cl_mem_object_type, m->type);
	case CL_MEM_FLAGS:
		return INFO_VALUE(out, cl_mem_flags, m->flags);
	case CL_MEM_SIZE:
		return INFO_VALUE(out, size_t, m->size);
	case CL_MEM_HOST_PTR:
		return INFO_VALUE(out, void *, m->host_ptr);
	case CL_MEM_MAP_COUNT:
		return INFO_VALUE(out, cl_uint, map_count(m));
	case CL_MEM_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_MEM_CONTEXT:
		return INFO_VALUE(out, cl_context, (void *)m->context);
	case CL_MEM_ASSOCIATED_MEMOBJECT:
		return INFO_VALUE(out, cl_mem, (void *)m->parent);
	case CL_MEM_OFFSET:
		return INFO_VALUE(out, size_t, m->offset);
	case CL_MEM_USES_SVM_POINTER:
		return INFO_VALUE(out, cl_bool, m->uses_svm);
	case CL_MEM_PROPERTIES:
		return info_bytes(out, m->property,
		    m->property_count * sizeof(*m->property));
	default:
		return CL_INVALID_VALUE;
	}
}
