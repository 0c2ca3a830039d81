/* SPDX-License-Identifier: ISC */
/*
 * recording - the cases that calls on command buffers share.
 *
 * The calls are those of cl_khr_command_buffer 0.9.5 and later, which have
 * properties; devices with an older version are left out.
 */
#ifndef VGPU_CONFORMANCE_CALLS_RECORDING_H
#define VGPU_CONFORMANCE_CALLS_RECORDING_H

#include "conformance/calls/calls.h"
#include "protocol/khr.h"

typedef struct _cl_command_buffer_khr *command_buffer;
typedef struct _cl_mutable_command_khr *mutable_command;

#define BUFFERS "cl_khr_command_buffer"
#define DISPATCHES "cl_khr_command_buffer_mutable_dispatch"

/* How each recording call begins and ends. */
#define RECORDER command_buffer, cl_command_queue, const cl_ulong *
#define RECORDED cl_uint, const cl_uint *, cl_uint *, mutable_command *

/* What the shared cases vary of one. */
struct recorded {
	command_buffer buffer;
	cl_command_queue queue;
	const cl_ulong *properties;
	cl_uint n;
	const cl_uint *list;
	cl_uint *point;
	mutable_command *handle;
	bool foreign;	/* its objects are to be of another context */
};
#define RECORDED_BY(r) (r)->buffer, (r)->queue, (r)->properties
#define RECORDED_WITH(r) (r)->n, (r)->list, (r)->point, (r)->handle

/* The call with right arguments but for those. */
typedef cl_int record_function(struct world *, void *call,
    const struct recorded *);
struct record {
	const char *name;
	record_function *run;
	bool no_objects;	/* that could be of another context */
	bool has_handle;	/* of a mutable command */
};
void record_cases(struct world *, const struct record *);

/* A function of the extension, as extension(), of a version that is known. */
void *buffer_function(struct world *, const char *extension, const char *name);

/* A command buffer of the world's queue, with a barrier, and its end. */
command_buffer recording_open(struct world *, cl_ulong flags);
void recording_finalize(struct world *, command_buffer);
void recording_close(struct world *, command_buffer);

#endif
