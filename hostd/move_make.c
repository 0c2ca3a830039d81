/* SPDX-License-Identifier: ISC */
/*
 * move_make - everything of a context once more, for another device.
 *
 * A worker has the context to itself, as nothing runs and nothing that the
 * client says is carried out, so all is done one after the other with waiting.
 * Each step has its time, by which the loop sees that a vendor hangs.
 * What fails most likely comes first: programs, then memory.
 */
#include "hostd/move_private.h"

#include "common/clock.h"
#include "hostd/exec_mem.h"
#include "hostd/exec_program.h"
#include "hostd/kernel_member.h"
#include "hostd/member.h"
#include "hostd/mover.h"
#include "hostd/remake.h"

static bool
fail(struct attempt *a, const char *what, cl_int code)
{
	a->what = what;
	a->code = code;
	return code == CL_SUCCESS;
}

void
move_step(struct attempt *a, const char *doing, bool builds)
{
	int64_t ms = a->serve->start.step_ms;

	if (ms == 0)
		ms = MOVE_STEP_MS;
	atomic_store(&a->doing, doing);
	atomic_store(&a->until, clock_ms() + ms * (builds ? MOVE_BUILD_STEPS :
	    1));
}

/* ---- contents ---------------------------------------------------------- */

static const size_t no_origin[3];
static const char copying[] = "a copy of its content";

#define PART_MAX ((size_t)32 << 20)	/* of a buffer at once */

struct copying {
	cl_command_queue from, to;
	struct vmem *mem;
};

static cl_int
copy_part(const struct copying *c, size_t at, size_t size)
{
	cl_mem from = native(c->mem, 0);
	cl_int code, code2;
	void *p = clEnqueueMapBuffer(c->from, from, CL_TRUE, CL_MAP_READ, at,
	    size, 0, NULL, NULL, &code);

	if (code != CL_SUCCESS)
		return code;
	code = clEnqueueWriteBuffer(c->to, native(c->mem, MOVE_NEW), CL_TRUE,
	    at, size, p, 0, NULL, NULL);
	code2 = clEnqueueUnmapMemObject(c->from, from, p, 0, NULL, NULL);
	return code != CL_SUCCESS ? code : code2;
}

static cl_int
copy_buffer(struct attempt *a, const struct copying *c)
{
	cl_int code = CL_SUCCESS;
	size_t at, n;

	for (at = 0; at < c->mem->size && code == CL_SUCCESS; at += n) {
		n = c->mem->size - at < PART_MAX ? c->mem->size - at :
		    PART_MAX;
		move_step(a, copying, false);
		code = copy_part(c, at, n);
	}
	return code;
}

static cl_int
copy_image(const struct copying *c)
{
	cl_mem from = native(c->mem, 0);
	size_t region[3], row, slice = 0;
	cl_int code, code2;
	void *p;

	mover_region(from, region);
	p = clEnqueueMapImage(c->from, from, CL_TRUE, CL_MAP_READ, no_origin,
	    region, &row, &slice, 0, NULL, NULL, &code);
	if (code != CL_SUCCESS)
		return code;
	code = clEnqueueWriteImage(c->to, native(c->mem, MOVE_NEW), CL_TRUE,
	    no_origin, region, row, slice, p, 0, NULL, NULL);
	code2 = clEnqueueUnmapMemObject(c->from, from, p, 0, NULL, NULL);
	return code != CL_SUCCESS ? code : code2;
}

static cl_int
copy_content(struct attempt *a, const struct copying *c)
{
	size_t size = 0;
	cl_int code;

	move_step(a, copying, false);
	code = clGetMemObjectInfo(native(c->mem, 0), CL_MEM_SIZE,
	    sizeof(size), &size, NULL);
	if (code != CL_SUCCESS)
		return code;
	code = c->mem->element != 0 ? copy_image(c) : copy_buffer(a, c);
	a->bytes += c->mem->element != 0 ? size : c->mem->size;
	return code;
}

static bool
is_there(const struct vobj *o)
{
	return o->error == CL_SUCCESS && o->native[0] != NULL;
}

/* What others are parts of or made of has the content. */
static bool
has_content(const struct vobj *o)
{
	const struct vmem *m = (const struct vmem *)o;

	return o->kind == OBJ_MEM && is_there(o) && m->parent == NULL &&
	    !m->placed;
}

static cl_int
copy_each(struct attempt *a, struct copying *c)
{
	cl_int code = CL_SUCCESS;
	size_t i;

	for (i = 0; i < a->count && code == CL_SUCCESS; i++)
		if (has_content(a->object[i])) {
			c->mem = (struct vmem *)a->object[i];
			code = copy_content(a, c);
		}
	return code;
}

/* A device that does not answer any more may have nothing that is needed. */
static bool
is_any_to_copy(const struct attempt *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (has_content(a->object[i]))
			return true;
	return false;
}

/* ---- objects ----------------------------------------------------------- */

/* One placed buffer may be what others are parts of. */
static cl_int
make_mem(struct vmem *m)
{
	cl_int code = CL_SUCCESS;

	if (m->o.native[MOVE_NEW] != NULL)
		return CL_SUCCESS;
	if (m->parent != NULL)
		code = make_mem(m->parent);
	if (code != CL_SUCCESS)
		return code;
	return m->placed ? vmem_place_again(m, MOVE_NEW) :
	    member_mem_make(m, MOVE_NEW);
}

static cl_int
make_event(struct attempt *a, struct vevent *e)
{
	cl_int code = CL_SUCCESS;

	if (e->unset)
		e->o.native[MOVE_NEW] = clCreateUserEvent(
		    native(a->context, MOVE_NEW), &code);
	return code;
}

/* Of another class, a device may have less local memory. */
static cl_int
make_kernel(struct attempt *a, struct vkernel *k)
{
	cl_int code = kernel_member_again(k, MOVE_NEW);
	cl_ulong needs = 0;

	if (code == CL_SUCCESS && !move_is_alike(a) && clGetKernelWorkGroupInfo(
	    native(k, MOVE_NEW), a->to->device, CL_KERNEL_LOCAL_MEM_SIZE,
	    sizeof(needs), &needs, NULL) == CL_SUCCESS && needs >
	    infoset_u64(&a->to->pool->info, CL_DEVICE_LOCAL_MEM_SIZE, needs))
		code = CL_OUT_OF_RESOURCES;
	return code;
}

static cl_int
make_object(struct attempt *a, struct vobj *o)
{
	switch (o->kind) {
	case OBJ_QUEUE:
		return queue_remake((struct vqueue *)o, MOVE_NEW, a->to);
	case OBJ_MEM:
		return make_mem((struct vmem *)o);
	case OBJ_SAMPLER:
		return sampler_remake(o, a->context, MOVE_NEW);
	case OBJ_EVENT:
		return make_event(a, (struct vevent *)o);
	case OBJ_KERNEL:
		return make_kernel(a, (struct vkernel *)o);
	case OBJ_PROGRAM:
		a->programs++;
		return program_remake((struct vprogram *)o, MOVE_NEW, a->to);
	default:
		return CL_SUCCESS;
	}
}

static bool
make_all(struct attempt *a, enum obj_kind kind, const char *what)
{
	cl_int code = CL_SUCCESS;
	size_t i;

	for (i = 0; i < a->count && code == CL_SUCCESS; i++)
		if (a->object[i]->kind == kind && is_there(a->object[i])) {
			move_step(a, what, kind == OBJ_PROGRAM);
			code = make_object(a, a->object[i]);
		}
	return fail(a, what, code);
}

static bool
copy_all(struct attempt *a)
{
	cl_int code = CL_SUCCESS;
	struct copying c = { .to = NULL };

	if (!is_any_to_copy(a))
		return true;
	move_step(a, copying, false);
	c.from = clCreateCommandQueue(native(a->context, 0),
	    a->from->device, 0, &code);
	if (code != CL_SUCCESS)
		return fail(a, copying, code);
	c.to = clCreateCommandQueue(native(a->context, MOVE_NEW),
	    a->to->device, 0, &code);
	if (code == CL_SUCCESS)
		code = copy_each(a, &c);
	move_step(a, copying, false);
	clFinish(c.from);
	clReleaseCommandQueue(c.from);
	if (c.to != NULL)
		clReleaseCommandQueue(c.to);
	return fail(a, copying, code);
}

static bool
make_context(struct attempt *a)
{
	static const char what[] = "a context";

	move_step(a, what, false);
	return fail(a, what, context_remake(a->context, MOVE_NEW, a->to));
}

static bool
make_ended(struct attempt *a)
{
	cl_int code;

	move_step(a, "an event", false);
	a->ended = clCreateUserEvent(native(a->context, MOVE_NEW), &code);
	if (code == CL_SUCCESS)
		code = clSetUserEventStatus(a->ended, CL_COMPLETE);
	return fail(a, "an event", code);
}

/* Markers have told that they are empty; vendors want to hear that, too. */
static bool
finish_queues(struct attempt *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->object[i]->kind == OBJ_QUEUE && is_there(a->object[i])) {
			move_step(a, "the end of a queue", false);
			clFinish(a->object[i]->native[0]);
		}
	return true;
}

bool
move_make(struct attempt *a)
{
	return finish_queues(a) && make_context(a) && make_ended(a) &&
	    make_all(a, OBJ_QUEUE, "a queue") &&
	    make_all(a, OBJ_PROGRAM, "a program") &&
	    make_all(a, OBJ_EVENT, "an event") &&
	    make_all(a, OBJ_SAMPLER, "a sampler") &&
	    make_all(a, OBJ_MEM, "a memory object") &&
	    make_all(a, OBJ_KERNEL, "a kernel") && copy_all(a);
}
