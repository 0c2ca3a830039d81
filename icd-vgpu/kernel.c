/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/build.h"
#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

static void
kernel_fini(struct object *o)
{
	struct kernel *k = (struct kernel *)o;
	struct program *p = k->program;
	cl_uint i;

	for (i = 0; k->arg != NULL && i < k->shape->arg_count; i++) {
		object_let_go(k->arg[i].object);
		free(k->arg[i].value);
	}
	for (i = 0; i < KERNEL_EXEC_KINDS; i++)
		free(k->exec[i].value);
	free(k->arg);
	free(k->changed);
	pthread_mutex_destroy(&k->lock);
	pthread_mutex_lock(&p->lock);
	p->kernels--;
	pthread_mutex_unlock(&p->lock);
	object_unuse(p);
}

static bool
alloc_args(struct kernel *k)
{
	const struct kernel_shape *s = k->shape;

	k->arg = calloc(s->arg_count + 1, sizeof(*k->arg));
	k->changed = calloc(s->arg_count + 1, sizeof(*k->changed));
	k->unset = s->arg_count;
	return k->arg != NULL && k->changed != NULL;
}

/* The program counts its kernel already. */
static struct kernel *
kernel_new(struct program *p, const struct kernel_shape *shape)
{
	struct kernel *k = object_new(OBJ_KERNEL, sizeof(*k), kernel_fini);

	if (k == NULL) {
		pthread_mutex_lock(&p->lock);
		p->kernels--;
		pthread_mutex_unlock(&p->lock);
		return NULL;
	}
	pthread_mutex_init(&k->lock, NULL);
	k->program = object_use(p);
	k->shape = shape;
	if (!alloc_args(k)) {
		k->o.local = true;
		object_unuse(k);
		return NULL;
	}
	return k;
}

static cl_int
send_kernel(const struct kernel *k)
{
	struct msg_clCreateKernel m = {
		.program.id = k->program->o.id,
		.kernel_name = { k->shape->name, strlen(k->shape->name) },
		.id.id = k->o.id,
	};

	return call_async(&desc_clCreateKernel, &m, 0);
}

/* Make a kernel that its program counts already, here and on the host. */
static cl_int
kernel_make(struct program *p, const struct kernel_shape *shape,
    struct kernel **out)
{
	struct kernel *k = kernel_new(p, shape);
	cl_int code;

	if (k == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	if ((code = send_kernel(k)) != CL_SUCCESS) {
		k->o.local = true;
		object_unuse(k);
		return code;
	}
	*out = k;
	return CL_SUCCESS;
}

/* ---- creation ---------------------------------------------------------- */

/* Built-in kernels are there without a build; ask the host about them. */
static cl_int
have_shapes(struct program *p)
{
	bool missing;

	if (p->origin != PROGRAM_BUILT_IN)
		return CL_SUCCESS;
	pthread_mutex_lock(&p->lock);
	missing = !p->building && !program_has_executable(p);
	pthread_mutex_unlock(&p->lock);
	if (missing && build_prepare(p) != CL_SUCCESS)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	return CL_SUCCESS;
}

/* With the lock held: may kernels be made? */
static cl_int
check_executable(const struct program *p)
{
	cl_int code = atomic_load(&p->o.error);

	if (code != CL_SUCCESS)
		return code;
	return p->building || !program_has_executable(p) ?
	    CL_INVALID_PROGRAM_EXECUTABLE : CL_SUCCESS;
}

/* Find a kernel by name and count it. */
static cl_int
reserve(struct program *p, const char *name, const struct kernel_shape **out)
{
	cl_uint i;
	cl_int code;

	if ((code = have_shapes(p)) != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&p->lock);
	if ((code = check_executable(p)) == CL_SUCCESS) {
		for (i = 0; i < p->shape_count; i++)
			if (strcmp(p->shape[i].name, name) == 0)
				break;
		if (i == p->shape_count)
			code = CL_INVALID_KERNEL_NAME;
		else {
			*out = &p->shape[i];
			p->kernels++;
		}
	}
	pthread_mutex_unlock(&p->lock);
	return code;
}

cl_kernel
icd_clCreateKernel(cl_program program, const char *kernel_name,
    cl_int *errcode_ret)
{
	struct program *p = program_check(program);
	const struct kernel_shape *shape;
	struct kernel *k = NULL;
	cl_int code;

	if (p == NULL)
		code = CL_INVALID_PROGRAM;
	else if (kernel_name == NULL)
		code = CL_INVALID_VALUE;
	else if ((code = reserve(p, kernel_name, &shape)) == CL_SUCCESS)
		code = kernel_make(p, shape, &k);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_kernel)(void *)k;
}

/* Count all kernels of the program, if there is room for them. */
static cl_int
reserve_all(struct program *p, cl_uint room, bool wanted, cl_uint *n)
{
	cl_int code;

	if ((code = have_shapes(p)) != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&p->lock);
	if ((code = check_executable(p)) == CL_SUCCESS) {
		*n = p->shape_count;
		if (wanted && room < *n)
			code = CL_INVALID_VALUE;
		else if (wanted)
			p->kernels += *n;
	}
	pthread_mutex_unlock(&p->lock);
	return code;
}

cl_int
icd_clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
    cl_kernel *kernels, cl_uint *num_kernels_ret)
{
	struct program *p = program_check(program);
	struct kernel *k;
	cl_uint i, n = 0;
	cl_int code;

	if (p == NULL)
		return CL_INVALID_PROGRAM;
	code = reserve_all(p, num_kernels, kernels != NULL, &n);
	for (i = 0; code == CL_SUCCESS && kernels != NULL && i < n; i++) {
		code = kernel_make(p, &p->shape[i], &k);
		if (code == CL_SUCCESS)
			kernels[i] = (cl_kernel)(void *)k;
	}
	if (code == CL_SUCCESS && num_kernels_ret != NULL)
		*num_kernels_ret = n;
	if (code == CL_SUCCESS || kernels == NULL || i == 0)
		return code;
	/* Number i - 1 failed and is counted no more; give back the others. */
	pthread_mutex_lock(&p->lock);
	p->kernels -= n - i;
	pthread_mutex_unlock(&p->lock);
	while (--i > 0)
		icd_clReleaseKernel(kernels[i - 1]);
	return code;
}

cl_kernel
icd_clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret)
{
	struct kernel *from = kernel_check(source_kernel), *k = NULL;
	cl_int code = CL_INVALID_KERNEL;

	if (from != NULL) {
		pthread_mutex_lock(&from->program->lock);
		from->program->kernels++;
		pthread_mutex_unlock(&from->program->lock);
		code = kernel_make(from->program, from->shape, &k);
	}
	if (code == CL_SUCCESS) {
		pthread_mutex_lock(&from->lock);
		if ((code = kernel_copy_args(k, from)) == CL_SUCCESS)
			code = kernel_copy_exec(k, from);
		pthread_mutex_unlock(&from->lock);
		if (code != CL_SUCCESS) {
			object_release(&k->o);
			k = NULL;
		}
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_kernel)(void *)k;
}
