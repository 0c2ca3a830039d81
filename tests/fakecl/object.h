/* SPDX-License-Identifier: ISC */
/*
 * object - what all of fakecl's handles have in common: the dispatch pointer
 * that a loader calls through, a kind, a count.
 *
 * There is one lock for everything (fake_lock).  Callbacks run without it.
 */
#ifndef VGPU_TESTS_FAKECL_OBJECT_H
#define VGPU_TESTS_FAKECL_OBJECT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tests/fakecl/script.h"

enum kind { KIND_PLATFORM = 0x46414b45, KIND_DEVICE, KIND_CONTEXT, KIND_QUEUE,
	KIND_MEM, KIND_PROGRAM, KIND_KERNEL, KIND_EVENT, KIND_SAMPLER,
	KIND_END };
#define KINDS (KIND_END - KIND_PLATFORM)

struct object {
	const struct _cl_icd_dispatch *dispatch;
	void *second;	/* of the ICD's version 2 */
	enum kind kind;
	atomic_uint refs;
	void (*fini)(void *);
};

struct _cl_context {
	struct object o;
	cl_uint device_count;
	cl_device_id *devices;
	void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
	void *notify_arg;
};

extern const struct _cl_icd_dispatch fake_dispatch;
extern pthread_mutex_t fake_lock;

cl_ulong device_memory(cl_device_id);
cl_uint device_number(cl_device_id);

/* A zeroed object of size bytes with one reference. */
void *fake_new(enum kind, size_t size, void (*fini)(void *));

void *fake_ref(void *);
void fake_unref(void *);

/* How many of them there are. */
unsigned fake_alive(void);

/* Is it a live handle of this kind?  NULL is none. */
bool fake_is(const void *, enum kind);

/* Answer a query with n bytes at p. */
cl_int fake_info(size_t size, void *value, size_t *size_ret, const void *p,
    size_t n);
cl_int fake_info_text(size_t size, void *value, size_t *size_ret,
    const char *);

#define INFO(v) fake_info(size, value, size_ret, &(v), sizeof(v))

/* Tell an errcode_ret, if there is one, and return no object. */
void *fake_none(cl_int *ret, cl_int code);
/* Tell success and return the object. */
void *fake_made(cl_int *ret, void *object);

/* At the top of each function. */
#define PLAY() do { \
	cl_int play_ = script_call(__func__); \
	if (play_ != CL_SUCCESS) \
		return play_; \
} while (0)
#define PLAY_NEW(ret) do { \
	cl_int play_ = script_call(__func__); \
	if (play_ != CL_SUCCESS) \
		return fake_none(ret, play_); \
} while (0)

#define CHECK(condition, code) do { \
	if (!(condition)) \
		return code; \
} while (0)
#define CHECK_NEW(condition, ret, code) do { \
	if (!(condition)) \
		return fake_none(ret, code); \
} while (0)

#endif
