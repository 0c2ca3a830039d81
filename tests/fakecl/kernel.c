/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/program.h"

#include <string.h>

#include "tests/fakecl/calls.h"
#include "tests/fakecl/engine.h"

static void
kernel_fini(void *p)
{
	fake_unref(((cl_kernel)p)->program);
}

static cl_kernel
kernel_new(cl_program p, const struct declaration *d)
{
	cl_kernel k = fake_new(KIND_KERNEL, sizeof(*k), kernel_fini);

	k->program = fake_ref(p);
	k->declaration = d;
	return k;
}

cl_kernel
fake_clCreateKernel(cl_program p, const char *name, cl_int *ret)
{
	unsigned i;

	PLAY_NEW(ret);
	CHECK_NEW(fake_is(p, KIND_PROGRAM), ret, CL_INVALID_PROGRAM);
	CHECK_NEW(p->status == CL_BUILD_SUCCESS, ret,
	    CL_INVALID_PROGRAM_EXECUTABLE);
	for (i = 0; i < p->count; i++)
		if (strcmp(p->kernel[i].name, name) == 0)
			return fake_made(ret, kernel_new(p, &p->kernel[i]));
	return fake_none(ret, CL_INVALID_KERNEL_NAME);
}

cl_int
fake_clCreateKernelsInProgram(cl_program p, cl_uint n, cl_kernel *out,
    cl_uint *n_ret)
{
	unsigned i;

	PLAY();
	CHECK(fake_is(p, KIND_PROGRAM), CL_INVALID_PROGRAM);
	CHECK(p->status == CL_BUILD_SUCCESS, CL_INVALID_PROGRAM_EXECUTABLE);
	CHECK(out == NULL || n >= p->count, CL_INVALID_VALUE);
	for (i = 0; out != NULL && i < p->count; i++)
		out[i] = kernel_new(p, &p->kernel[i]);
	if (n_ret != NULL)
		*n_ret = p->count;
	return CL_SUCCESS;
}

cl_int
fake_clRetainKernel(cl_kernel k)
{
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	fake_ref(k);
	return CL_SUCCESS;
}

cl_int
fake_clReleaseKernel(cl_kernel k)
{
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	fake_unref(k);
	return CL_SUCCESS;
}

/* Bytes of a value of this type; 0: any number. */
static size_t
type_size(const char *type)
{
	static const struct {
		const char *name;
		size_t size;
	} sizes[] = { { "char", 1 }, { "uchar", 1 }, { "short", 2 },
		{ "ushort", 2 }, { "int", 4 }, { "uint", 4 }, { "float", 4 },
		{ "long", 8 }, { "ulong", 8 }, { "double", 8 } };
	size_t i, n;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		n = strlen(sizes[i].name);
		if (strncmp(type, sizes[i].name, n) != 0)
			continue;
		if (type[n] == '\0')
			return sizes[i].size;
		if (type[n] >= '1' && type[n] <= '9')
			return sizes[i].size * (size_t)atoi(type + n);
	}
	return 0;
}

static bool
size_fits(const struct param *p, size_t size)
{
	size_t want = type_size(p->type);

	return size > 0 && size <= VALUE_MAX && (want == 0 || size == want);
}

cl_int
fake_clSetKernelArg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
	const struct param *p;
	struct value *v;

	PLAY();
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	CHECK(i < k->declaration->count, CL_INVALID_ARG_INDEX);
	p = &k->declaration->param[i];
	v = &k->value[i];
	if (p->address == CL_KERNEL_ARG_ADDRESS_LOCAL) {
		CHECK(value == NULL, CL_INVALID_ARG_VALUE);
	} else if (p->address == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
		CHECK(size_fits(p, size), CL_INVALID_ARG_SIZE);
		CHECK(value != NULL, CL_INVALID_ARG_VALUE);
		memcpy(v->bytes, value, size);
	} else {
		CHECK(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
		v->mem = value != NULL ? *(const cl_mem *)value : NULL;
		CHECK(v->mem == NULL || fake_is(v->mem, KIND_MEM),
		    CL_INVALID_ARG_VALUE);
	}
	v->size = size;
	v->set = true;
	return CL_SUCCESS;
}

/* ---- queries ------------------------------------------------------------- */

cl_int
fake_clGetKernelInfo(cl_kernel k, cl_kernel_info param, size_t size,
    void *value, size_t *size_ret)
{
	PLAY();
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	switch (param) {
	case CL_KERNEL_FUNCTION_NAME:
		return fake_info_text(size, value, size_ret,
		    k->declaration->name);
	case CL_KERNEL_NUM_ARGS:
		return INFO(k->declaration->count);
	case CL_KERNEL_CONTEXT:
		return INFO(k->program->context);
	case CL_KERNEL_PROGRAM:
		return INFO(k->program);
	case CL_KERNEL_ATTRIBUTES:
		return fake_info_text(size, value, size_ret, "");
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
fake_clGetKernelArgInfo(cl_kernel k, cl_uint i, cl_kernel_arg_info param,
    size_t size, void *value, size_t *size_ret)
{
	static const cl_kernel_arg_access_qualifier access =
	    CL_KERNEL_ARG_ACCESS_NONE;
	const struct param *p;

	PLAY();
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	CHECK(i < k->declaration->count, CL_INVALID_ARG_INDEX);
	p = &k->declaration->param[i];
	switch (param) {
	case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
		return INFO(p->address);
	case CL_KERNEL_ARG_ACCESS_QUALIFIER:
		return INFO(access);
	case CL_KERNEL_ARG_TYPE_NAME:
		return fake_info_text(size, value, size_ret, p->type);
	case CL_KERNEL_ARG_TYPE_QUALIFIER:
		return INFO(p->qualifier);
	case CL_KERNEL_ARG_NAME:
		return fake_info_text(size, value, size_ret, p->name);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
fake_clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id device,
    cl_kernel_work_group_info param, size_t size, void *value,
    size_t *size_ret)
{
	static const size_t group = 256, multiple = 32, compiled[3];
	static const cl_ulong memory;

	(void)device;
	PLAY();
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	switch (param) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		return INFO(group);
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		return INFO(compiled);
	case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
		return INFO(multiple);
	case CL_KERNEL_LOCAL_MEM_SIZE:
	case CL_KERNEL_PRIVATE_MEM_SIZE:
		return INFO(memory);
	default:
		return CL_INVALID_VALUE;
	}
}

/* ---- launching ----------------------------------------------------------- */

static void
drop_launch(void *arg)
{
	struct launch *l = arg;
	unsigned i;

	for (i = 0; i < PARAMS_MAX; i++)
		fake_unref(l->value[i].mem);
	fake_unref(l->kernel);
}

/* Fill in the number of work items. */
static cl_int
count_items(struct launch *l, cl_uint dim, const size_t *global,
    const size_t *local)
{
	cl_uint i;

	CHECK(dim >= 1 && dim <= 3, CL_INVALID_WORK_DIMENSION);
	CHECK(global != NULL, CL_INVALID_GLOBAL_WORK_SIZE);
	l->items = 1;
	for (i = 0; i < dim; i++) {
		l->items *= global[i];
		CHECK(local == NULL || (local[i] > 0 &&
		    global[i] % local[i] == 0), CL_INVALID_WORK_GROUP_SIZE);
	}
	return CL_SUCCESS;
}

cl_int
fake_clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dim,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	struct launch l = { .kernel = k };
	unsigned i;
	cl_int code;

	(void)offset;
	PLAY();
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	l.device = device_number(q->device);
	code = count_items(&l, dim, global, local);
	CHECK(code == CL_SUCCESS, code);
	for (i = 0; i < k->declaration->count; i++)
		CHECK(k->value[i].set, CL_INVALID_KERNEL_ARGS);
	memcpy(l.value, k->value, sizeof(l.value));
	fake_ref(k);
	for (i = 0; i < PARAMS_MAX; i++)
		fake_ref(l.value[i].mem);
	return engine_enqueue(&(struct order){ .function = __func__,
	    .queue = q, .type = CL_COMMAND_NDRANGE_KERNEL, .wait_count = n,
	    .wait = wait, .event = event, .run = launch_run, .arg = &l,
	    .size = sizeof(l), .drop = drop_launch });
}
