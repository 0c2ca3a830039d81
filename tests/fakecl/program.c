/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/program.h"

#include <stdio.h>
#include <string.h>

#include "tests/fakecl/calls.h"

#define BINARY "FAKECL\n"	/* before the source, it is a binary */

static void
program_fini(void *p)
{
	free(((cl_program)p)->source);
	fake_unref(((cl_program)p)->context);
}

static cl_program
program_new(cl_context context, char *source)
{
	cl_program p = fake_new(KIND_PROGRAM, sizeof(*p), program_fini);

	p->context = fake_ref(context);
	p->source = source;
	p->status = CL_BUILD_NONE;
	return p;
}

cl_program
fake_clCreateProgramWithSource(cl_context context, cl_uint count,
    const char **strings, const size_t *lengths, cl_int *ret)
{
	size_t n = 0, len;
	char *text = calloc(1, 1);
	cl_uint i;

	PLAY_NEW(ret);
	CHECK_NEW(fake_is(context, KIND_CONTEXT), ret, CL_INVALID_CONTEXT);
	CHECK_NEW(count > 0 && strings != NULL, ret, CL_INVALID_VALUE);
	for (i = 0; i < count; i++) {
		len = lengths != NULL && lengths[i] > 0 ? lengths[i] :
		    strlen(strings[i]);
		if ((text = realloc(text, n + len + 1)) == NULL)
			abort();
		memcpy(text + n, strings[i], len);
		n += len;
		text[n] = '\0';
	}
	return fake_made(ret, program_new(context, text));
}

cl_program
fake_clCreateProgramWithBinary(cl_context context, cl_uint n,
    const cl_device_id *devices, const size_t *lengths,
    const unsigned char **binaries, cl_int *status, cl_int *ret)
{
	const size_t head = strlen(BINARY);
	bool good = n > 0;
	cl_uint i;

	PLAY_NEW(ret);
	CHECK_NEW(fake_is(context, KIND_CONTEXT), ret, CL_INVALID_CONTEXT);
	CHECK_NEW(n > 0 && devices != NULL, ret, CL_INVALID_VALUE);
	for (i = 0; i < n; i++) {
		good = good && lengths[i] >= head &&
		    memcmp(binaries[i], BINARY, head) == 0;
		if (status != NULL)
			status[i] = good ? CL_SUCCESS : CL_INVALID_BINARY;
	}
	CHECK_NEW(good, ret, CL_INVALID_BINARY);
	return fake_made(ret, program_new(context,
	    strndup((const char *)binaries[0] + head, lengths[0] - head)));
}

/* The intermediate language is the source itself. */
cl_program
fake_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
    cl_int *ret)
{
	cl_program p;

	PLAY_NEW(ret);
	CHECK_NEW(fake_is(context, KIND_CONTEXT), ret, CL_INVALID_CONTEXT);
	CHECK_NEW(il != NULL && length > 0, ret, CL_INVALID_VALUE);
	p = program_new(context, strndup(il, length));
	p->il = true;
	return fake_made(ret, p);
}

cl_int
fake_clSetProgramSpecializationConstant(cl_program p, cl_uint id, size_t size,
    const void *value)
{
	PLAY();
	CHECK(fake_is(p, KIND_PROGRAM) && p->il, CL_INVALID_PROGRAM);
	CHECK(id == 0, CL_INVALID_SPEC_ID);
	CHECK(size == sizeof(p->constant) && value != NULL, CL_INVALID_VALUE);
	memcpy(&p->constant, value, size);
	return CL_SUCCESS;
}

cl_int
fake_clRetainProgram(cl_program p)
{
	CHECK(fake_is(p, KIND_PROGRAM), CL_INVALID_PROGRAM);
	fake_ref(p);
	return CL_SUCCESS;
}

cl_int
fake_clReleaseProgram(cl_program p)
{
	CHECK(fake_is(p, KIND_PROGRAM), CL_INVALID_PROGRAM);
	fake_unref(p);
	return CL_SUCCESS;
}

cl_int
fake_clBuildProgram(cl_program p, cl_uint n, const cl_device_id *devices,
    const char *options, void (CL_CALLBACK *notify)(cl_program, void *),
    void *arg)
{
	PLAY();
	CHECK(fake_is(p, KIND_PROGRAM), CL_INVALID_PROGRAM);
	CHECK((n > 0) == (devices != NULL), CL_INVALID_VALUE);
	snprintf(p->options, sizeof(p->options), "%s",
	    options != NULL ? options : "");
	p->built_constant = p->constant;
	p->status = source_read(p) ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
	if (notify != NULL)
		notify(p, arg);
	return p->status == CL_BUILD_SUCCESS ? CL_SUCCESS :
	    CL_BUILD_PROGRAM_FAILURE;
}

/* ---- queries ------------------------------------------------------------- */

static bool
built(const struct _cl_program *p)
{
	return p->status == CL_BUILD_SUCCESS;
}

/* One binary for each device, into the caller's array of pointers. */
static cl_int
binaries(cl_program p, size_t size, void *value, size_t *size_ret)
{
	unsigned char **out = value;
	const size_t want = p->context->device_count * sizeof(*out);
	cl_uint i;

	CHECK(out == NULL || size >= want, CL_INVALID_VALUE);
	for (i = 0; out != NULL && i < p->context->device_count; i++)
		if (out[i] != NULL && built(p)) {
			memcpy(out[i], BINARY, strlen(BINARY));
			memcpy(out[i] + strlen(BINARY), p->source,
			    strlen(p->source));
		}
	if (size_ret != NULL)
		*size_ret = want;
	return CL_SUCCESS;
}

static cl_int
binary_sizes(cl_program p, size_t size, void *value, size_t *size_ret)
{
	size_t sizes[SCRIPT_DEVICES_MAX];
	cl_uint i;

	for (i = 0; i < p->context->device_count; i++)
		sizes[i] = built(p) ? strlen(BINARY) + strlen(p->source) : 0;
	return fake_info(size, value, size_ret, sizes, i * sizeof(*sizes));
}

static cl_int
kernel_names(cl_program p, size_t size, void *value, size_t *size_ret)
{
	char text[KERNELS_MAX * NAME_MAX_] = "";
	unsigned i;

	for (i = 0; i < p->count; i++) {
		if (i > 0)
			strcat(text, ";");
		strcat(text, p->kernel[i].name);
	}
	return fake_info_text(size, value, size_ret, text);
}

cl_int
fake_clGetProgramInfo(cl_program p, cl_program_info param, size_t size,
    void *value, size_t *size_ret)
{
	size_t count;

	PLAY();
	CHECK(fake_is(p, KIND_PROGRAM), CL_INVALID_PROGRAM);
	count = p->count;
	switch (param) {
	case CL_PROGRAM_CONTEXT:
		return INFO(p->context);
	case CL_PROGRAM_NUM_DEVICES:
		return INFO(p->context->device_count);
	case CL_PROGRAM_DEVICES:
		return fake_info(size, value, size_ret, p->context->devices,
		    p->context->device_count * sizeof(cl_device_id));
	case CL_PROGRAM_SOURCE:
		return fake_info_text(size, value, size_ret, p->source);
	case CL_PROGRAM_BINARY_SIZES:
		return binary_sizes(p, size, value, size_ret);
	case CL_PROGRAM_BINARIES:
		return binaries(p, size, value, size_ret);
	case CL_PROGRAM_NUM_KERNELS:
		CHECK(built(p), CL_INVALID_PROGRAM_EXECUTABLE);
		return INFO(count);
	case CL_PROGRAM_KERNEL_NAMES:
		CHECK(built(p), CL_INVALID_PROGRAM_EXECUTABLE);
		return kernel_names(p, size, value, size_ret);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
fake_clGetProgramBuildInfo(cl_program p, cl_device_id device,
    cl_program_build_info param, size_t size, void *value, size_t *size_ret)
{
	cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
	static const size_t none;

	PLAY();
	CHECK(fake_is(p, KIND_PROGRAM), CL_INVALID_PROGRAM);
	CHECK(fake_is(device, KIND_DEVICE), CL_INVALID_DEVICE);
	switch (param) {
	case CL_PROGRAM_BUILD_STATUS:
		return INFO(p->status);
	case CL_PROGRAM_BUILD_OPTIONS:
		return fake_info_text(size, value, size_ret, p->options);
	case CL_PROGRAM_BUILD_LOG:
		return fake_info_text(size, value, size_ret, p->log);
	case CL_PROGRAM_BINARY_TYPE:
		if (built(p))
			type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
		return INFO(type);
	case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
		return INFO(none);
	default:
		return CL_INVALID_VALUE;
	}
}
