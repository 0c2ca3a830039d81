/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/queue.h"
#include "icd-vgpu/sampler.h"
#include "icd-vgpu/svm.h"

/* What an argument becomes. */
struct setting {
	const struct context *context;	/* where objects have to be of */
	uint32_t kind;
	uint64_t size;
	uint64_t word;
	const void *value;
	struct object *object;
};

/* The handle in an argument of a handle's size. */
static void *
handle_in(const void *value)
{
	void *handle;

	memcpy(&handle, value, sizeof(handle));
	return handle;
}

static cl_int
set_object(struct setting *s, uint32_t kind, struct object *o, cl_int code)
{
	if (o == NULL)
		return code;
	if (context_of(o) != s->context)
		return CL_INVALID_CONTEXT;
	s->kind = kind;
	s->size = sizeof(o->id);
	s->word = o->id;
	s->object = o;
	return CL_SUCCESS;
}

/* ---- one argument of each kind (OpenCL 3.0, 5.9.2) --------------------- */

static cl_int
set_value(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	if (value == NULL)
		return CL_INVALID_ARG_VALUE;
	if (n == 0 || (shape->size != 0 && n != shape->size))
		return CL_INVALID_ARG_SIZE;
	s->kind = ARG_VALUE;
	s->size = n;
	s->value = value;
	return CL_SUCCESS;
}

static cl_int
set_local(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	(void)shape;
	if (value != NULL)
		return CL_INVALID_ARG_VALUE;
	if (n == 0)
		return CL_INVALID_ARG_SIZE;
	s->kind = ARG_LOCAL;
	s->size = n;
	return CL_SUCCESS;
}

/* A buffer, or null in either of two forms. */
static cl_int
set_mem(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	void *handle;

	(void)shape;
	if (n != sizeof(handle))
		return CL_INVALID_ARG_SIZE;
	handle = value != NULL ? handle_in(value) : NULL;
	if (handle != NULL)
		return set_object(s, ARG_MEM, (struct object *)mem_check_buffer(
		    handle), CL_INVALID_MEM_OBJECT);
	s->kind = ARG_MEM;
	s->size = sizeof(s->word);
	return CL_SUCCESS;
}

/* Does the image's own access allow the parameter's? */
static bool
access_ok(const struct mem *m, cl_kernel_arg_access_qualifier access)
{
	if (access == CL_KERNEL_ARG_ACCESS_READ_ONLY)
		return !(m->flags & CL_MEM_WRITE_ONLY);
	if (access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY)
		return !(m->flags & CL_MEM_READ_ONLY);
	return true;
}

/* Is it an image of the parameter's type, as far as that is known? */
static bool
type_ok(const struct mem *m, const char *name)
{
	static const struct {
		const char *name;
		cl_mem_object_type type;
		bool depth;
	} types[] = {
		{ "image1d_t", CL_MEM_OBJECT_IMAGE1D, false },
		{ "image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, false },
		{ "image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, false },
		{ "image2d_t", CL_MEM_OBJECT_IMAGE2D, false },
		{ "image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, false },
		{ "image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, true },
		{ "image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, true },
		{ "image3d_t", CL_MEM_OBJECT_IMAGE3D, false },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (name != NULL && strcmp(types[i].name, name) == 0)
			return m->type == types[i].type && (!types[i].depth ||
			    m->image.format.image_channel_order == CL_DEPTH);
	return true;
}

static cl_int
set_image(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	struct mem *m;
	cl_int code;

	if (value == NULL)
		return CL_INVALID_MEM_OBJECT;
	if (n != sizeof(cl_mem))
		return CL_INVALID_ARG_SIZE;
	m = mem_check_image(handle_in(value));
	code = set_object(s, ARG_IMAGE, (struct object *)m,
	    CL_INVALID_MEM_OBJECT);
	if (code != CL_SUCCESS)
		return code;
	if (!type_ok(m, shape->type))
		return CL_INVALID_MEM_OBJECT;
	return access_ok(m, shape->access) ? CL_SUCCESS : CL_INVALID_ARG_VALUE;
}

static cl_int
set_pipe(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	struct mem *m;

	(void)shape;
	if (value == NULL)
		return CL_INVALID_MEM_OBJECT;
	if (n != sizeof(cl_mem))
		return CL_INVALID_ARG_SIZE;
	m = mem_check(handle_in(value));
	if (m == NULL || m->type != CL_MEM_OBJECT_PIPE)
		return CL_INVALID_MEM_OBJECT;
	return set_object(s, ARG_PIPE, &m->o, CL_INVALID_MEM_OBJECT);
}

static cl_int
set_sampler(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	(void)shape;
	if (value == NULL)
		return CL_INVALID_SAMPLER;
	if (n != sizeof(cl_sampler))
		return CL_INVALID_ARG_SIZE;
	return set_object(s, ARG_SAMPLER, (struct object *)sampler_check(
	    handle_in(value)), CL_INVALID_SAMPLER);
}

static cl_int
set_queue(struct setting *s, const struct arg_shape *shape, size_t n,
    const void *value)
{
	struct queue *q;

	(void)shape;
	if (value == NULL)
		return CL_INVALID_DEVICE_QUEUE;
	if (n != sizeof(cl_command_queue))
		return CL_INVALID_ARG_SIZE;
	q = (struct queue *)object_check(handle_in(value), OBJ_QUEUE);
	if (q == NULL || !q->on_device)
		return CL_INVALID_DEVICE_QUEUE;
	return set_object(s, ARG_QUEUE, &q->o, CL_INVALID_DEVICE_QUEUE);
}

static cl_int (*const setters[ARG_KIND_COUNT])(struct setting *,
    const struct arg_shape *, size_t, const void *) = {
	[ARG_VALUE] = set_value,
	[ARG_LOCAL] = set_local,
	[ARG_MEM] = set_mem,
	[ARG_IMAGE] = set_image,
	[ARG_SAMPLER] = set_sampler,
	[ARG_QUEUE] = set_queue,
	[ARG_PIPE] = set_pipe,
};

/* ---- keeping them ------------------------------------------------------ */

static bool
keep_value(struct kernel_arg *arg, const void *value, size_t n)
{
	uint8_t *more;

	if (n > arg->room) {
		if ((more = realloc(arg->value, n)) == NULL)
			return false;
		arg->value = more;
		arg->room = n;
	}
	memcpy(arg->value, value, n);
	return true;
}

/* With the lock held; the object that was there before goes to *old. */
static cl_int
keep_locked(struct kernel *k, struct kernel_arg *arg,
    const struct setting *s, struct object **old)
{
	if (s->kind == ARG_VALUE && !keep_value(arg, s->value, s->size))
		return CL_OUT_OF_HOST_MEMORY;
	if (!arg->set)
		k->unset--;
	arg->set = true;
	arg->changed = true;
	arg->kind = s->kind;
	arg->size = s->size;
	arg->word = s->word;
	*old = arg->object;
	arg->object = s->object != NULL ? object_hold(s->object) : NULL;
	return CL_SUCCESS;
}

static cl_int
keep(struct kernel *k, struct kernel_arg *arg, const struct setting *s)
{
	struct object *old = NULL;
	cl_int code;

	pthread_mutex_lock(&k->lock);
	code = keep_locked(k, arg, s, &old);
	pthread_mutex_unlock(&k->lock);
	object_let_go(old);
	return code;
}

/* Check an argument; what it would become goes to *s. */
static cl_int
check_arg(const struct kernel *k, cl_uint index, size_t size,
    const void *value, struct setting *s)
{
	const struct arg_shape *shape;

	if (index >= k->shape->arg_count)
		return CL_INVALID_ARG_INDEX;
	shape = &k->shape->arg[index];
	s->context = k->program->context;
	if (setters[shape->kind] == NULL)
		return CL_INVALID_ARG_VALUE;
	return setters[shape->kind](s, shape, size, value);
}

cl_int
kernel_check_arg(const struct kernel *k, cl_uint index, size_t size,
    const void *value)
{
	struct setting s = { 0 };

	return check_arg(k, index, size, value, &s);
}

cl_int
icd_clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
    const void *arg_value)
{
	struct kernel *k = kernel_check(kernel);
	struct setting s = { 0 };
	cl_int code;

	if (k == NULL)
		return CL_INVALID_KERNEL;
	code = check_arg(k, arg_index, arg_size, arg_value, &s);
	return code != CL_SUCCESS ? code : keep(k, &k->arg[arg_index], &s);
}

static bool
has_svm(const struct context *c)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (device_u64(c->device[i], CL_DEVICE_SVM_CAPABILITIES) != 0)
			return true;
	return false;
}

cl_int
kernel_check_svm_arg(const struct kernel *k, cl_uint index, const void *value)
{
	if (!has_svm(k->program->context))
		return CL_INVALID_OPERATION;
	if (index >= k->shape->arg_count)
		return CL_INVALID_ARG_INDEX;
	if (k->shape->arg[index].kind != ARG_MEM ||
	    (value != NULL && svm_find(value) == NULL))
		return CL_INVALID_ARG_VALUE;
	return CL_SUCCESS;
}

cl_int
icd_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
    const void *arg_value)
{
	struct kernel *k = kernel_check(kernel);
	struct setting s = { .kind = ARG_SVM, .size = sizeof(s.word),
		.word = (uintptr_t)arg_value };
	cl_int code;

	if (k == NULL)
		return CL_INVALID_KERNEL;
	code = kernel_check_svm_arg(k, arg_index, arg_value);
	return code != CL_SUCCESS ? code : keep(k, &k->arg[arg_index], &s);
}

/* From version 1.1.0 of the extension on, any pointer may be given. */
cl_int
icd_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
    const void *arg_value)
{
	struct kernel *k = kernel_check(kernel);
	struct setting s = { .kind = ARG_SVM, .size = sizeof(s.word),
		.word = (uintptr_t)arg_value };

	if (k == NULL)
		return CL_INVALID_KERNEL;
	if (arg_index >= k->shape->arg_count)
		return CL_INVALID_ARG_INDEX;
	if (k->shape->arg[arg_index].kind != ARG_MEM)
		return CL_INVALID_ARG_VALUE;
	return keep(k, &k->arg[arg_index], &s);
}

cl_int
kernel_copy_args(struct kernel *k, const struct kernel *from)
{
	const struct kernel_arg *arg;
	struct setting s;
	struct object *none;
	cl_int code = CL_SUCCESS;
	cl_uint i;

	for (i = 0; code == CL_SUCCESS && i < from->shape->arg_count; i++) {
		arg = &from->arg[i];
		s = (struct setting){ .kind = arg->kind, .size = arg->size,
			.word = arg->word, .value = arg->value,
			.object = arg->object };
		if (arg->set)
			code = keep_locked(k, &k->arg[i], &s, &none);
	}
	return code;
}
