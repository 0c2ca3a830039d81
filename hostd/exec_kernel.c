/* SPDX-License-Identifier: ISC */
/*
 * exec_kernel - kernels and launches.
 */
#include "hostd/calls.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/bind.h"
#include "hostd/command.h"
#include "hostd/exec_device.h"
#include "hostd/exec_program.h"
#include "hostd/exec_svm.h"
#include "hostd/kernel_member.h"
#include "hostd/member.h"
#include "hostd/meter.h"

static void
vkernel_fini(struct vobj *o)
{
	struct vkernel *k = (struct vkernel *)o;

	unsigned i;

	for (i = 0; i < MEMBERS_MAX; i++)
		if (native(k, i) != NULL)
			clReleaseKernel(native(k, i));
	kernel_args_free(k);
	infoset_fini(&k->exec_info);
	object_unref(k->program);
}

static cl_int
make_kernel(struct vkernel *k, const char *name)
{
	const struct kernel_kinds *kinds = vprogram_kinds(k->program, name);
	unsigned i;
	cl_int code;

	if (kinds == NULL)
		return CL_INVALID_KERNEL_NAME;
	k->arg = calloc(kinds->count + 1, sizeof(*k->arg));
	if (k->arg == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	k->arg_count = kinds->count;
	k->metered.key = meter_kernel_key(k->program, name);
	for (i = 0; i < kinds->count; i++) {
		k->arg[i].kind = kinds->kind[i];
		k->arg[i].reads_only = kinds->reads_only[i];
	}
	if (context_is_mixed(k->program->context))
		return CL_SUCCESS;
	k->o.native[0] = clCreateKernel(native(k->program, 0), name, &code);
	return code;
}

void
exec_clCreateKernel(struct serve *s, struct call *call,
    struct msg_clCreateKernel *m)
{
	struct vprogram *p = m->program.obj;
	struct vkernel *k;
	cl_int code;

	if (vprogram_wait(s, p) || (k = object_new(s, call, OBJ_KERNEL,
	    m->id.id, sizeof(*k), vkernel_fini)) == NULL)
		return;
	k->program = object_ref(p);
	infoset_init(&k->exec_info);
	if ((code = make_kernel(k, m->kernel_name.p)) != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

/* ---- launches ---------------------------------------------------------- */

static const size_t *
sizes(const struct span *span)
{
	return span->n > 0 ? span->p : NULL;
}

static void
launch(struct command *c, struct vkernel *k,
    const struct msg_clEnqueueNDRangeKernel *m)
{
	cl_int code = clEnqueueNDRangeKernel(c->queue, native(k, c->member),
	    (cl_uint)m->work_dim, sizes(&m->global_work_offset),
	    sizes(&m->global_work_size), sizes(&m->local_work_size),
	    c->wait_count, c->wait, c->event_ret);

	if (code == CL_SUCCESS && c->call->replay == NULL)
		meter_launch(c->vqueue, k, &m->global_work_size);
	command_close(c, code);
}

void
exec_clEnqueueNDRangeKernel(struct serve *s, struct call *call,
    struct msg_clEnqueueNDRangeKernel *m)
{
	struct vkernel *k = m->kernel.obj;
	struct vqueue *q = m->command_queue.obj;
	struct command c;
	cl_int code = call->poison;

	/* Objects that were never made have neither member nor arguments. */
	if (k->o.error == CL_SUCCESS && q->o.error == CL_SUCCESS) {
		if (!kernel_set_args(s, k, q->member, m->args))
			return;
		if (code == CL_SUCCESS)
			code = kernel_args_error(k);
		if (code == CL_SUCCESS && q->mixed != NULL)
			code = kernel_member_ready(k, q->member);
	}
	if (code != CL_SUCCESS)
		call_fail(s, call, code, "it uses an object that could not be"
		    " made, or an event that failed");
	else if (command_open(&c, s, call, q, &m->event_wait_list, &m->event))
		launch(&c, k, m);
}

/* ---- the rest ---------------------------------------------------------- */

/* Have the native kernel, with its arguments, in a mixed context, too. */
static cl_int
of_member(struct vkernel *k, unsigned member)
{
	return context_is_mixed(k->program->context) ?
	    kernel_member_ready(k, member) : CL_SUCCESS;
}

/* The native kernel for a device, or for the program's first; may be NULL. */
static cl_kernel
kernel_for(struct vkernel *k, const struct vdevice *d)
{
	const struct vprogram *p = k->program;
	unsigned member = context_member(p->context,
	    d != NULL ? d : p->devices[0]);

	if (context_is_mixed(p->context))
		kernel_member_make(k, member);
	return native(k, member);
}

/* Is the device's OpenCL version at least this? */
static bool
device_has(const struct vdevice *d, unsigned major, unsigned minor)
{
	const char *text = infoset_text(&d->pool->info, CL_DEVICE_VERSION, "");
	unsigned have[2];

	return sscanf(text, "OpenCL %u.%u", &have[0], &have[1]) == 2 &&
	    (have[0] > major || (have[0] == major && have[1] >= minor));
}

/* False: one of the pointers is to no memory of the client's. */
static bool
svm_pointers_ok(struct vcontext *c, const struct span *value)
{
	const uint64_t *address = value->p;
	uint64_t i;

	for (i = 0; i < value->n / sizeof(*address); i++)
		if (svm_memory(c, address[i], 1) == NULL)
			return false;
	return true;
}

void
exec_clSetKernelExecInfo(struct serve *s, struct call *call,
    struct msg_clSetKernelExecInfo *m)
{
	struct vkernel *k = m->kernel.obj;
	cl_int code = CL_INVALID_VALUE;

	if (context_is_mixed(k->program->context) ||
	    !device_has(k->program->devices[0], 2, 0))
		code = CL_INVALID_OPERATION;
	else if (m->param_name != CL_KERNEL_EXEC_INFO_SVM_PTRS ||
	    svm_pointers_ok(k->program->context, &m->value))
		code = clSetKernelExecInfo(native(k, 0),
		    (cl_uint)m->param_name, m->value.n, m->value.p);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
	else if (k->program->context->moves &&
	    m->param_name != CL_KERNEL_EXEC_INFO_SVM_PTRS)
		infoset_put(&k->exec_info, (uint32_t)m->param_name, m->value.p,
		    m->value.n);
}

void
exec_clGetKernelSuggestedLocalWorkSizeKHR(struct serve *s, struct call *call,
    struct msg_clGetKernelSuggestedLocalWorkSizeKHR *m)
{
	const struct vqueue *q = m->command_queue.obj;
	struct vkernel *k = m->kernel.obj;
	clGetKernelSuggestedLocalWorkSizeKHR_fn ask =
	    (clGetKernelSuggestedLocalWorkSizeKHR_fn)device_function(
	    q->device, FUNCTION_clGetKernelSuggestedLocalWorkSizeKHR);
	size_t local[3] = { 0 };
	struct reply_clGetKernelSuggestedLocalWorkSizeKHR r = {
		.local_work_size = { local, m->work_dim },
	};

	if (m->work_dim > 3)
		r.status = CL_INVALID_WORK_DIMENSION;
	else if (ask == NULL)
		r.status = CL_INVALID_OPERATION;
	else if (!kernel_set_args(s, k, q->member, m->args))
		return;
	else if ((r.status = kernel_args_error(k)) == CL_SUCCESS &&
	    (r.status = of_member(k, q->member)) == CL_SUCCESS)
		r.status = ask(native(q, q->member), native(k, q->member),
		    (cl_uint)m->work_dim, sizes(&m->global_work_offset),
		    sizes(&m->global_work_size), local);
	if (r.status != CL_SUCCESS)
		r.local_work_size.n = 0;
	call_reply(s, call, &r);
}

/* It has no header. */
typedef cl_int concurrent_function(cl_command_queue, cl_kernel, cl_uint,
    const size_t *, const size_t *, size_t *);

/* The answer does not depend on arguments, so none are set here. */
void
exec_clGetKernelMaxConcurrentWorkGroupCountINTEL(struct serve *s,
    struct call *call,
    struct msg_clGetKernelMaxConcurrentWorkGroupCountINTEL *m)
{
	const struct vqueue *q = m->command_queue.obj;
	struct vkernel *k = m->kernel.obj;
	concurrent_function *ask = (concurrent_function *)device_function(
	    q->device, FUNCTION_clGetKernelMaxConcurrentWorkGroupCountINTEL);
	struct reply_clGetKernelMaxConcurrentWorkGroupCountINTEL r = { 0 };
	size_t count = 0;

	r.status = CL_INVALID_OPERATION;
	if (m->work_dim == 0 || m->work_dim > 3)
		r.status = CL_INVALID_WORK_DIMENSION;
	else if (ask != NULL)
		r.status = ask(native(q, q->member), kernel_for(k, q->device),
		    (cl_uint)m->work_dim, sizes(&m->global_work_offset),
		    sizes(&m->local_work_size), &count);
	r.count = count;
	call_reply(s, call, &r);
}

#define SUB_GROUP_MAX 1024

/* A local size has as many dimensions as there is room for: the client cuts. */
static size_t
sub_group_room(uint64_t param)
{
	return param == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT ?
	    3 * sizeof(size_t) : SUB_GROUP_MAX;
}

void
exec_clGetKernelSubGroupInfo(struct serve *s, struct call *call,
    struct msg_clGetKernelSubGroupInfo *m)
{
	struct vkernel *k = m->kernel.obj;
	const struct vdevice *d = bind_find(k->program->context,
	    m->device.obj);
	uint8_t value[SUB_GROUP_MAX];
	struct reply_clGetKernelSubGroupInfo r;
	size_t n = 0;

	/* Older vendors' tables have no such function. */
	if (!device_has(d != NULL ? d : k->program->devices[0], 2, 1))
		r.status = CL_INVALID_OPERATION;
	else
		r.status = clGetKernelSubGroupInfo(kernel_for(k, d),
		    d != NULL ? d->device : NULL, (cl_uint)m->param_name,
		    m->input.n, m->input.n > 0 ? m->input.p : NULL,
		    sub_group_room(m->param_name), value, &n);
	r.value = (struct span){ value, r.status == CL_SUCCESS ? n : 0 };
	call_reply(s, call, &r);
}

void
exec_spill_size(struct serve *s, struct call *call, struct msg_spill_size *m)
{
	struct vkernel *k = m->kernel.obj;
	const struct vdevice *d = bind_find(k->program->context,
	    m->device.obj);
	struct reply_spill_size r = { 0 };
	cl_ulong size = 0;

	r.status = clGetKernelWorkGroupInfo(kernel_for(k, d), d->device,
	    CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof(size), &size, NULL);
	r.size = size;
	call_reply(s, call, &r);
}
