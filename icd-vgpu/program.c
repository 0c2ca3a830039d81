/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/program.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/destructor.h"
#include "icd-vgpu/platform.h"

void
program_drop_binaries(struct program *p)
{
	cl_uint i;

	if (p->binary == NULL)
		return;
	for (i = 0; i < p->device_count; i++)
		free(p->binary[i].p);
	free(p->binary);
	p->binary = NULL;
}

static void
program_fini(struct object *o)
{
	struct program *p = (struct program *)o;
	cl_uint i;

	destructor_release(p->destructors);
	program_drop_binaries(p);
	for (i = 0; i < p->device_count; i++) {
		object_unuse(p->device[i].device);
		free(p->device[i].options);
		free(p->device[i].log);
	}
	shapes_free(p->shape, p->shape_count);
	free(p->device);
	free(p->source);
	free(p->il);
	free(p->built_in);
	pthread_mutex_destroy(&p->lock);
	object_unuse(p->context);
}

struct program *
program_new(struct context *c, enum program_origin origin, cl_uint n,
    const cl_device_id *list)
{
	struct program *p = object_new(OBJ_PROGRAM, sizeof(*p), program_fini);
	struct device *d;
	cl_uint i;

	if (p == NULL)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	p->context = object_use(c);
	p->origin = origin;
	if (list == NULL)
		n = c->device_count;
	if ((p->device = calloc(n, sizeof(*p->device))) == NULL) {
		p->o.local = true;
		object_unuse(p);
		return NULL;
	}
	for (i = 0; i < n; i++) {
		d = list == NULL ? c->device[i] : device_check(list[i]);
		p->device[i].device = object_use(d);
		p->device[i].status = CL_BUILD_NONE;
	}
	p->device_count = n;
	return p;
}

cl_program
program_give(struct program *p, cl_int code, cl_int *errcode_ret)
{
	if (errcode_ret != NULL)
		*errcode_ret = code;
	if (code != CL_SUCCESS && p != NULL) {
		p->o.local = true;
		object_unuse(p);
		p = NULL;
	}
	return (cl_program)(void *)p;
}

cl_uint
program_device_index(const struct program *p, const struct device *d)
{
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (p->device[i].device == d)
			break;
	return i;
}

cl_int
program_device_list(const struct program *p, cl_uint n,
    const cl_device_id *list, cl_uint *index, cl_uint *count)
{
	struct device *d;
	cl_uint i;

	if ((n == 0) != (list == NULL))
		return CL_INVALID_VALUE;
	if (n > p->device_count)
		return CL_INVALID_DEVICE;
	for (i = 0; i < n; i++) {
		if ((d = device_check(list[i])) == NULL)
			return CL_INVALID_DEVICE;
		index[i] = program_device_index(p, d);
		if (index[i] == p->device_count)
			return CL_INVALID_DEVICE;
	}
	for (; list == NULL && i < p->device_count; i++)
		index[i] = i;
	*count = i;
	return CL_SUCCESS;
}

cl_int
program_check_devices(const struct context *c, cl_uint n,
    const cl_device_id *list)
{
	struct device *d;
	cl_uint i;

	if (n == 0 || list == NULL)
		return CL_INVALID_VALUE;
	for (i = 0; i < n; i++)
		if ((d = device_check(list[i])) == NULL ||
		    !context_has_device(c, d))
			return CL_INVALID_DEVICE;
	return CL_SUCCESS;
}

bool
program_is_executable(const struct program_device *d)
{
	return d->status == CL_BUILD_SUCCESS &&
	    d->type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

bool
program_has_executable(const struct program *p)
{
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (program_is_executable(&p->device[i]))
			return true;
	return false;
}

/* ---- from source -------------------------------------------------------- */

/* A length of zero, or no lengths, means a string that ends with NUL. */
static size_t
string_length(const char *const *strings, const size_t *lengths, cl_uint i)
{
	return lengths != NULL && lengths[i] != 0 ? lengths[i] :
	    strlen(strings[i]);
}

static bool
join_strings(struct program *p, cl_uint count, const char *const *strings,
    const size_t *lengths)
{
	size_t total = 0, n;
	cl_uint i;

	for (i = 0; i < count; i++)
		total += string_length(strings, lengths, i);
	if ((p->source = malloc(total + 1)) == NULL)
		return false;
	for (i = 0; i < count; i++) {
		n = string_length(strings, lengths, i);
		memcpy(p->source + p->source_len, strings[i], n);
		p->source_len += n;
	}
	p->source[total] = '\0';
	return true;
}

static cl_int
check_strings(cl_uint count, const char *const *strings)
{
	cl_uint i;

	if (count == 0 || strings == NULL)
		return CL_INVALID_VALUE;
	for (i = 0; i < count; i++)
		if (strings[i] == NULL)
			return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

static cl_int
send_source(const struct program *p)
{
	struct msg_clCreateProgramWithSource m = {
		.context.id = p->context->o.id,
		.source = { p->source, p->source_len },
		.id.id = p->o.id,
	};

	return call_async(&desc_clCreateProgramWithSource, &m, 0);
}

cl_program
icd_clCreateProgramWithSource(cl_context context, cl_uint count,
    const char **strings, const size_t *lengths, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct program *p = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((code = check_strings(count, strings)) != CL_SUCCESS)
		;
	else if ((p = program_new(c, PROGRAM_SOURCE, 0, NULL)) == NULL ||
	    !join_strings(p, count, strings, lengths))
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = send_source(p);
	return program_give(p, code, errcode_ret);
}

/* ---- the rest ---------------------------------------------------------- */

/* Only OpenCL 2.2 has program-scope destructors, which these would follow. */
static bool
has_destructors(const struct program *p)
{
	cl_version v;
	cl_uint i;

	for (i = 0; i < p->device_count; i++) {
		v = device_version(p->device[i].device);
		if (CL_VERSION_MAJOR(v) == 2 && CL_VERSION_MINOR(v) >= 2)
			return true;
	}
	return false;
}

cl_int
icd_clSetProgramReleaseCallback(cl_program program, pfn_program pfn_notify,
    void *user_data)
{
	struct program *p = program_check(program);
	cl_int code;

	if (p == NULL)
		return CL_INVALID_PROGRAM;
	if (pfn_notify == NULL)
		return CL_INVALID_VALUE;
	if (!has_destructors(p))
		return CL_INVALID_OPERATION;
	pthread_mutex_lock(&p->lock);
	code = destructor_add(&p->destructors, OBJ_PROGRAM, p,
	    (union destructor_function){ .program = pfn_notify }, user_data,
	    NULL, NULL);
	pthread_mutex_unlock(&p->lock);
	return code;
}

cl_int
icd_clUnloadPlatformCompiler(cl_platform_id platform)
{
	return object_check(platform, OBJ_PLATFORM) == NULL ?
	    CL_INVALID_PLATFORM : CL_SUCCESS;
}

cl_int
icd_clUnloadCompiler(void)
{
	return CL_SUCCESS;
}
