/* SPDX-License-Identifier: ISC */
/*
 * platform - the platform, its devices and contexts.
 */
#include "tests/fakecl/calls.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

#include "tests/fakecl/engine.h"
#include "tests/fakecl/object.h"

struct _cl_platform_id {
	struct object o;
};

struct _cl_device_id {
	struct object o;
	unsigned number;
	const struct script_device *script;
};

static struct _cl_platform_id the_platform = {
	.o = { .dispatch = &fake_dispatch, .kind = KIND_PLATFORM, .refs = 1 }
};
static struct _cl_device_id devices[SCRIPT_DEVICES_MAX];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
make_devices(void)
{
	const struct script *s = script_get();
	unsigned i;

	for (i = 0; i < s->device_count; i++) {
		devices[i].o.dispatch = &fake_dispatch;
		devices[i].o.kind = KIND_DEVICE;
		atomic_init(&devices[i].o.refs, 1);
		devices[i].number = i;
		devices[i].script = &s->device[i];
	}
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint n, cl_platform_id *out, cl_uint *n_ret)
{
	PLAY();
	script_arrive();
	pthread_once(&once, make_devices);
	if (out != NULL && n > 0)
		out[0] = &the_platform;
	if (n_ret != NULL)
		*n_ret = 1;
	return CL_SUCCESS;
}

cl_int
fake_clGetPlatformIDs(cl_uint n, cl_platform_id *out, cl_uint *n_ret)
{
	return clIcdGetPlatformIDsKHR(n, out, n_ret);
}

EXPORTED CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *name)
{
	if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
		return (void *)clIcdGetPlatformIDsKHR;
	return NULL;
}

void *
fake_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
    const char *name)
{
	(void)platform;
	if (strcmp(name, script_get()->hidden) == 0)
		return NULL;
	return fake_extension_function(name);
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clGetPlatformInfo(cl_platform_id platform, cl_platform_info param, size_t size,
    void *value, size_t *size_ret)
{
	return fake_clGetPlatformInfo(platform, param, size, value, size_ret);
}

static const char *
version_text(char text[32], const char *before)
{
	unsigned v = script_get()->version;

	snprintf(text, 32, "%s%u.%u fakecl", before, v / 100, v / 10 % 10);
	return text;
}

cl_int
fake_clGetPlatformInfo(cl_platform_id platform, cl_platform_info param,
    size_t size, void *value, size_t *size_ret)
{
	char text[32];

	(void)platform;
	PLAY();
	switch (param) {
	case CL_PLATFORM_PROFILE:
		return fake_info_text(size, value, size_ret, "FULL_PROFILE");
	case CL_PLATFORM_VERSION:
		return fake_info_text(size, value, size_ret,
		    version_text(text, "OpenCL "));
	case CL_PLATFORM_NAME:
	case CL_PLATFORM_VENDOR:
		return fake_info_text(size, value, size_ret, "fakecl");
	case CL_PLATFORM_EXTENSIONS:
		return fake_info_text(size, value, size_ret, "cl_khr_icd");
	case CL_PLATFORM_ICD_SUFFIX_KHR:
		return fake_info_text(size, value, size_ret, "FAKE");
	default:
		return CL_INVALID_VALUE;
	}
}

/* ---- devices ------------------------------------------------------------- */

/* Those of the type; a default device is any. */
cl_int
fake_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint n,
    cl_device_id *out, cl_uint *n_ret)
{
	const struct script *s = script_get();
	cl_uint i, found = 0;

	(void)platform;
	PLAY();
	for (i = 0; i < s->device_count; i++) {
		if (!(s->device[i].type & type) &&
		    !(type & CL_DEVICE_TYPE_DEFAULT))
			continue;
		if (out != NULL && found < n)
			out[found] = &devices[i];
		found++;
	}
	for (i = found; out != NULL && i < s->handles && i < n; i++)
		out[i] = NULL;
	if (s->handles > found)
		found = s->handles;
	if (n_ret != NULL)
		*n_ret = found;
	return found > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

/* Properties that are a number and the same for all devices. */
static const struct {
	cl_device_info param;
	unsigned size;
	cl_ulong value;
} constants[] = {
	{ CL_DEVICE_VENDOR_ID, 4, 0xfa4e },
	{ CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4, 3 },
	{ CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, 256 },
	{ CL_DEVICE_ADDRESS_BITS, 4, 64 },
	{ CL_DEVICE_IMAGE_SUPPORT, 4, 0 },
	{ CL_DEVICE_MAX_PARAMETER_SIZE, 8, 1024 },
	{ CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4, 1024 },
	{ CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8, 65536 },
	{ CL_DEVICE_MAX_CONSTANT_ARGS, 4, 8 },
	{ CL_DEVICE_LOCAL_MEM_TYPE, 4, CL_LOCAL },
	{ CL_DEVICE_LOCAL_MEM_SIZE, 8, 32768 },
	{ CL_DEVICE_PROFILING_TIMER_RESOLUTION, 8, 1 },
	{ CL_DEVICE_ENDIAN_LITTLE, 4, 1 },
	{ CL_DEVICE_AVAILABLE, 4, 1 },
	{ CL_DEVICE_COMPILER_AVAILABLE, 4, 1 },
	{ CL_DEVICE_LINKER_AVAILABLE, 4, 1 },
	{ CL_DEVICE_EXECUTION_CAPABILITIES, 8, CL_EXEC_KERNEL },
	{ CL_DEVICE_QUEUE_PROPERTIES, 8, CL_QUEUE_PROFILING_ENABLE |
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE },
	{ CL_DEVICE_SINGLE_FP_CONFIG, 8, CL_FP_ROUND_TO_NEAREST |
	    CL_FP_INF_NAN },
	{ CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4, 0 },
	{ CL_DEVICE_REFERENCE_COUNT, 4, 1 },
	{ CL_DEVICE_PRINTF_BUFFER_SIZE, 8, 1 << 20 },
	{ CL_DEVICE_SVM_CAPABILITIES, 8, 0 },
};

static const struct {
	cl_device_info param;
	const char *text;
} texts[] = {
	{ CL_DEVICE_PROFILE, "FULL_PROFILE" },
	{ CL_DEVICE_BUILT_IN_KERNELS, "" },
};

/* Properties that the script tells. */
static cl_int
scripted_info(cl_device_id d, cl_device_info param, size_t size, void *value,
    size_t *size_ret)
{
	static const size_t item_sizes[] = { 256, 256, 256 };
	const cl_ulong alloc = d->script->memory / 4;
	cl_platform_id platform = &the_platform;
	char text[32], name[SCRIPT_WORD + 16];
	char extensions[32 + sizeof(script_get()->extensions)];

	switch (param) {
	case CL_DEVICE_EXTENSIONS:
		snprintf(extensions, sizeof(extensions), "%s%s",
		    "cl_khr_byte_addressable_store",
		    script_get()->extensions);
		return fake_info_text(size, value, size_ret, extensions);
	case CL_DEVICE_TYPE:
		return INFO(d->script->type);
	case CL_DEVICE_MAX_COMPUTE_UNITS:
		return INFO(d->script->units);
	case CL_DEVICE_MAX_CLOCK_FREQUENCY:
		return INFO(d->script->mhz);
	case CL_DEVICE_GLOBAL_MEM_SIZE:
		return INFO(d->script->memory);
	case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
		return INFO(alloc);
	case CL_DEVICE_MAX_WORK_ITEM_SIZES:
		return INFO(item_sizes);
	case CL_DEVICE_PLATFORM:
		return INFO(platform);
	case CL_DEVICE_VERSION:
		return fake_info_text(size, value, size_ret,
		    version_text(text, "OpenCL "));
	case CL_DEVICE_OPENCL_C_VERSION:
		return fake_info_text(size, value, size_ret,
		    version_text(text, "OpenCL C "));
	case CL_DEVICE_VENDOR:
		return fake_info_text(size, value, size_ret,
		    script_get()->vendor);
	case CL_DRIVER_VERSION:
		return fake_info_text(size, value, size_ret,
		    script_get()->driver);
	case CL_DEVICE_NAME:
		snprintf(name, sizeof(name), "%s %u", script_get()->name,
		    d->number);
		if (script_get()->same_name)
			return fake_info_text(size, value, size_ret,
			    script_get()->name);
		return fake_info_text(size, value, size_ret, name);
	default:
		return CL_INVALID_VALUE;
	}
}

static cl_int
true_info(cl_device_id d, cl_device_info param, size_t size, void *value,
    size_t *size_ret)
{
	size_t i;

	for (i = 0; i < sizeof(constants) / sizeof(constants[0]); i++)
		if (constants[i].param == param)
			return fake_info(size, value, size_ret,
			    &constants[i].value, constants[i].size);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].param == param)
			return fake_info_text(size, value, size_ret,
			    texts[i].text);
	return scripted_info(d, param, size, value, size_ret);
}

/* The truth, changed as the script tells. */
static cl_int
false_info(cl_device_id d, const struct lie *l, size_t size, void *value,
    size_t *size_ret)
{
	cl_uint words[1024] = { 0 };
	size_t n = 0, i;

	if (l->kind == LIE_ABSENT || true_info(d, l->param, sizeof(words),
	    words, &n) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	if (l->kind == LIE_NUMBER)
		for (i = 0; i < n; i += n % 8 == 0 ? 8 : 4)
			memcpy((char *)words + i, &l->n, n % 8 == 0 ? 8 : 4);
	if (l->kind == LIE_ENDLESS)
		((char *)words)[n - 1] = 'x';
	if (l->kind != LIE_SIZE)
		return fake_info(size, value, size_ret, words, n);
	if (value != NULL)
		memset(value, 0, l->n < size ? l->n : size);
	if (size_ret != NULL)
		*size_ret = l->n;
	return CL_SUCCESS;
}

cl_int
fake_clGetDeviceInfo(cl_device_id d, cl_device_info param, size_t size,
    void *value, size_t *size_ret)
{
	const struct script *s = script_get();
	unsigned i;

	PLAY();
	CHECK(fake_is(d, KIND_DEVICE), CL_INVALID_DEVICE);
	for (i = 0; i < s->lies; i++)
		if (s->lie[i].param == param)
			return false_info(d, &s->lie[i], size, value,
			    size_ret);
	return true_info(d, param, size, value, size_ret);
}

/* Root devices are not counted. */
cl_int
fake_clRetainDevice(cl_device_id d)
{
	return fake_is(d, KIND_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int
fake_clReleaseDevice(cl_device_id d)
{
	return fake_is(d, KIND_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_ulong
device_memory(cl_device_id d)
{
	return d->script->memory;
}

cl_uint
device_number(cl_device_id d)
{
	return d->number;
}

cl_int
fake_clGetDeviceAndHostTimer(cl_device_id d, cl_ulong *device, cl_ulong *host)
{
	PLAY();
	CHECK(fake_is(d, KIND_DEVICE), CL_INVALID_DEVICE);
	*device = *host = engine_now();
	return CL_SUCCESS;
}

cl_int
fake_clGetHostTimer(cl_device_id d, cl_ulong *host)
{
	PLAY();
	CHECK(fake_is(d, KIND_DEVICE), CL_INVALID_DEVICE);
	*host = engine_now();
	return CL_SUCCESS;
}

/* ---- contexts ------------------------------------------------------------ */

static void
context_fini(void *p)
{
	free(((cl_context)p)->devices);
}

cl_context
fake_clCreateContext(const cl_context_properties *properties, cl_uint n,
    const cl_device_id *list, void (CL_CALLBACK *notify)(const char *,
    const void *, size_t, void *), void *arg, cl_int *ret)
{
	cl_context c;
	cl_uint i;

	(void)properties;
	PLAY_NEW(ret);
	CHECK_NEW(n > 0 && list != NULL, ret, CL_INVALID_VALUE);
	for (i = 0; i < n; i++)
		CHECK_NEW(fake_is(list[i], KIND_DEVICE), ret,
		    CL_INVALID_DEVICE);
	c = fake_new(KIND_CONTEXT, sizeof(*c), context_fini);
	c->devices = calloc(n, sizeof(cl_device_id));
	memcpy(c->devices, list, n * sizeof(cl_device_id));
	c->device_count = n;
	c->notify = notify;
	c->notify_arg = arg;
	return fake_made(ret, c);
}

cl_int
fake_clRetainContext(cl_context c)
{
	CHECK(fake_is(c, KIND_CONTEXT), CL_INVALID_CONTEXT);
	fake_ref(c);
	return CL_SUCCESS;
}

cl_int
fake_clReleaseContext(cl_context c)
{
	CHECK(fake_is(c, KIND_CONTEXT), CL_INVALID_CONTEXT);
	fake_unref(c);
	return CL_SUCCESS;
}

cl_int
fake_clGetContextInfo(cl_context c, cl_context_info param, size_t size,
    void *value, size_t *size_ret)
{
	PLAY();
	CHECK(fake_is(c, KIND_CONTEXT), CL_INVALID_CONTEXT);
	switch (param) {
	case CL_CONTEXT_NUM_DEVICES:
		return INFO(c->device_count);
	case CL_CONTEXT_DEVICES:
		return fake_info(size, value, size_ret, c->devices,
		    c->device_count * sizeof(cl_device_id));
	default:
		return CL_INVALID_VALUE;
	}
}
