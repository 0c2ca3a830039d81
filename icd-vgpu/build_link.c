/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/build.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

static void
link_then(void *arg, cl_int status, const void *reply)
{
	const struct reply_clLinkProgram *r = reply;

	build_take(arg, status, r != NULL ? &r->devices : NULL,
	    r != NULL ? &r->kernels : NULL);
}

static cl_int
send_link(struct build *b, const struct build_request *r,
    const uint64_t *ids, cl_uint n)
{
	const char *options = r->options != NULL ? r->options : "";
	struct msg_clLinkProgram m = {
		.context.id = b->program->context->o.id,
		.device_list = build_devices(b, r),
		.options = { options, strlen(options) },
		.input_programs = { ids, n },
		.id.id = b->program->o.id,
	};

	return build_send(b, &desc_clLinkProgram, &m, link_then);
}

/* Each program has compiled code or a library for each device. */
static bool
is_linkable(struct program *in, const struct program *out)
{
	cl_program_binary_type type;
	cl_uint i, k;
	bool ok = true;

	pthread_mutex_lock(&in->lock);
	for (i = 0; ok && i < out->device_count; i++) {
		k = program_device_index(in, out->device[i].device);
		type = k == in->device_count ? CL_PROGRAM_BINARY_TYPE_NONE :
		    in->device[k].type;
		ok = type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
		    type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
	}
	ok = ok && !in->building;
	pthread_mutex_unlock(&in->lock);
	return ok;
}

static cl_int
check_inputs(const struct program *out, const cl_program *list, cl_uint n,
    uint64_t *ids)
{
	struct program *in;
	cl_uint i;

	if (!object_ids(ids, list, n, OBJ_PROGRAM))
		return CL_INVALID_PROGRAM;
	for (i = 0; i < n; i++) {
		in = program_check(list[i]);
		if (in->context != out->context)
			return CL_INVALID_CONTEXT;
		if (!is_linkable(in, out))
			return CL_INVALID_OPERATION;
	}
	return CL_SUCCESS;
}

/* *sent: the host knows the program, whatever became of it. */
static cl_int
link_run(struct program *p, const struct build_request *r,
    const cl_program *list, cl_uint n, bool *sent)
{
	uint64_t *ids = calloc(n, sizeof(*ids));
	struct build *b;
	cl_int code;

	if (ids == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	if ((code = check_inputs(p, list, n, ids)) == CL_SUCCESS &&
	    (code = build_begin(&b, p, r)) == CL_SUCCESS) {
		code = send_link(b, r, ids, n);
		*sent = code == CL_SUCCESS;
		code = build_end(b, code, NULL);
	}
	free(ids);
	return code;
}

static cl_int
link_check(const struct context *c, const struct build_request *r,
    const cl_program *list, cl_uint n)
{
	uint64_t *ids;
	cl_uint count;
	cl_int code;

	if (n == 0 || list == NULL ||
	    (r->notify == NULL && r->user_data != NULL))
		return CL_INVALID_VALUE;
	if ((ids = calloc(c->device_count, sizeof(*ids))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	code = context_device_list(c, r->device_count, r->devices, ids,
	    c->device_count, &count);
	free(ids);
	return code;
}

/* A program that was not linked goes, also on the host if it knows it. */
static void
link_drop(struct program *p, bool sent)
{
	p->o.local = !sent;
	object_unuse(p);
}

cl_program
icd_clLinkProgram(cl_context context, cl_uint num_devices,
    const cl_device_id *device_list, const char *options,
    cl_uint num_input_programs, const cl_program *input_programs,
    pfn_program pfn_notify, void *user_data, cl_int *errcode_ret)
{
	const struct build_request r = { .device_count = num_devices,
		.devices = device_list, .options = options,
		.notify = pfn_notify, .user_data = user_data,
		.failure = CL_LINK_PROGRAM_FAILURE };
	struct context *c = context_check(context);
	struct program *p = NULL;
	bool sent = false;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((code = link_check(c, &r, input_programs,
	    num_input_programs)) != CL_SUCCESS)
		;
	else if ((p = program_new(c, PROGRAM_LINKED, num_devices,
	    device_list)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = link_run(p, &r, input_programs, num_input_programs,
		    &sent);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	/* Where linking could begin there is a program, if only for its log. */
	if (code != CL_SUCCESS && p != NULL &&
	    !(sent && code == CL_LINK_PROGRAM_FAILURE)) {
		link_drop(p, sent);
		p = NULL;
	}
	return (cl_program)(void *)p;
}
