/* SPDX-License-Identifier: ISC */
/*
 * build - compiling and linking on the host, and what comes back.
 *
 * A build is one message with one reply.  With a callback the call returns at
 * once; the thread that receives the reply updates the program first and then
 * queues the callback, on failures too and when the connection is lost.
 * Without one the caller waits for the same.
 */
#ifndef VGPU_ICD_BUILD_H
#define VGPU_ICD_BUILD_H

#include <stdatomic.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/callback.h"
#include "icd-vgpu/program.h"
#include "protocol/messages.h"

/* One build under way; the caller and the awaited reply have a use each. */
struct build {
	atomic_uint uses;
	struct program *program;	/* a use */
	cl_uint *index;			/* of its devices that are built */
	cl_uint count;
	uint64_t *ids;			/* theirs, for the message */
	pfn_program notify;
	void *user_data;
	cl_int failure;	/* the code of a build that was not even sent */
	bool done;	/* under the call lock, as is code */
	cl_int code;
};

struct build_request {
	cl_uint device_count;
	const cl_device_id *devices;
	const char *options;
	pfn_program notify;
	void *user_data;
	cl_int failure;	/* CL_BUILD_PROGRAM_FAILURE or its like */
};

/*
 * Check what all builds have in common and mark the program as being built.
 * CL_INVALID_VALUE, CL_INVALID_DEVICE, CL_INVALID_OPERATION (it has kernels or
 * is being built), CL_OUT_OF_HOST_MEMORY, or the code of its failed creation.
 */
cl_int build_begin(struct build **, struct program *,
    const struct build_request *);

/* The devices for the message; empty where the caller gave no list. */
struct span build_devices(const struct build *,
    const struct build_request *);

/* Send it; then is called with the build. */
cl_int build_send(struct build *, const struct message *, const void *msg,
    call_then_function *then);

/* In then: take what came back; spans are NULL where the reply has none. */
void build_take(struct build *, cl_int status, const struct span *devices,
    const struct span *kernels);

/*
 * End the call: with CL_SUCCESS wait for the reply unless there is a callback;
 * any other code means that nothing was sent, log (may be NULL) says why.
 * Returns what the call returns.  The caller's use is given up.
 */
cl_int build_end(struct build *, cl_int code, const char *log);

/* Fill in kernels of a program that has them without a build (built-in). */
cl_int build_prepare(struct program *);

/* May work-groups differ in size, as far as these options say? */
bool build_is_non_uniform(enum program_origin, const char *options);

#endif
