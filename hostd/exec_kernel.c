/* SPDX-License-Identifier: ISC */
#include "hostd/exec_kernel.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/command.h"
#include "hostd/exec_device.h"
#include "hostd/exec_mem.h"
#include "hostd/exec_program.h"
#include "hostd/exec_svm.h"
#include "hostd/idtab.h"

/* What is set in the native kernel. */
struct varg {
	uint8_t kind;		/* enum arg_kind, of the parameter */
	struct vobj *object;	/* a reference, or NULL */
	cl_int error;		/* it could not be set */
};

struct vkernel {
	struct vobj o;
	struct vprogram *program;
	unsigned arg_count;
	struct varg *arg;
};

static void
vkernel_fini(struct vobj *o)
{
	struct vkernel *k = (struct vkernel *)o;
	unsigned i;

	if (native(k, 0) != NULL)
		clReleaseKernel(native(k, 0));
	for (i = 0; i < k->arg_count; i++)
		object_unref(k->arg[i].object);
	free(k->arg);
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
	for (i = 0; i < kinds->count; i++)
		k->arg[i].kind = kinds->kind[i];
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
	if ((code = make_kernel(k, m->kernel_name.p)) != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

/* ---- arguments --------------------------------------------------------- */

static const enum obj_kind object_kind[ARG_KIND_COUNT] = {
	[ARG_MEM] = OBJ_MEM, [ARG_IMAGE] = OBJ_MEM, [ARG_PIPE] = OBJ_MEM,
	[ARG_SAMPLER] = OBJ_SAMPLER, [ARG_QUEUE] = OBJ_QUEUE,
};

/* The vendor takes pointers for what they are, so kinds have to match. */
static bool
kind_ok(const struct vkernel *k, const struct arg *arg)
{
	uint8_t kind;

	if (arg->index >= k->arg_count)
		return false;
	kind = k->arg[arg->index].kind;
	return arg->kind == kind || (arg->kind == ARG_SVM && kind == ARG_MEM);
}

/* The object of an argument; false: there is none, the connection failed. */
static bool
arg_object(struct serve *s, const struct arg *arg, struct vobj **out)
{
	uint64_t id;

	*out = NULL;
	if (object_kind[arg->kind] == OBJ_NONE)
		return true;
	memcpy(&id, arg->value, sizeof(id));
	if (id == 0)
		return true;
	*out = idtab_get(s->objects, id, object_kind[arg->kind]);
	if (*out == NULL)
		serve_fail(s, VGPU_EPROTO, "argument %u of a kernel names no"
		    " such object", arg->index);
	return *out != NULL;
}

static cl_int
set_svm(struct vcontext *context, cl_kernel kernel, const struct arg *arg)
{
	uint64_t address;

	memcpy(&address, arg->value, sizeof(address));
	return svm_set_arg(context, kernel, arg->index, address);
}

static cl_int
set_native(const struct vkernel *k, unsigned member, const struct arg *arg,
    const struct vobj *o)
{
	cl_kernel kernel = native(k, member);
	void *handle;

	switch ((enum arg_kind)arg->kind) {
	case ARG_VALUE:
	case ARG_LOCAL:
		return clSetKernelArg(kernel, arg->index, arg->size,
		    arg->value);
	case ARG_SVM:
		return set_svm(k->program->context, kernel, arg);
	default:
		if (o != NULL && o->error != CL_SUCCESS)
			return o->error;
		handle = o != NULL ? native(o, member) : NULL;
		return clSetKernelArg(kernel, arg->index, sizeof(handle),
		    &handle);
	}
}

bool
vkernel_set_args(struct serve *s, void *kernel, unsigned member,
    struct span args)
{
	struct vkernel *k = kernel;
	struct vobj *o;
	struct varg *to;
	struct arg arg;

	while (args_next(&args, &arg)) {
		if (!kind_ok(k, &arg)) {
			serve_fail(s, VGPU_EPROTO, "kernel has no argument %u"
			    " of kind %u", arg.index, arg.kind);
			return false;
		}
		if (!arg_object(s, &arg, &o))
			return false;
		to = &k->arg[arg.index];
		to->error = set_native(k, member, &arg, o);
		object_ref(o);
		object_unref(to->object);
		to->object = o;
	}
	return true;
}

static cl_int
args_error(const struct vkernel *k)
{
	unsigned i;

	for (i = 0; i < k->arg_count; i++)
		if (k->arg[i].error != CL_SUCCESS)
			return k->arg[i].error;
	return CL_SUCCESS;
}

/* ---- launches ---------------------------------------------------------- */

static const size_t *
sizes(const struct span *span)
{
	return span->n > 0 ? span->p : NULL;
}

static void
launch(struct command *c, const struct vkernel *k,
    const struct msg_clEnqueueNDRangeKernel *m)
{
	command_close(c, clEnqueueNDRangeKernel(c->queue, native(k, c->member),
	    (cl_uint)m->work_dim, sizes(&m->global_work_offset),
	    sizes(&m->global_work_size), sizes(&m->local_work_size),
	    c->wait_count, c->wait, c->event_ret));
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
		if (!vkernel_set_args(s, k, q->member, m->args))
			return;
		if (code == CL_SUCCESS)
			code = args_error(k);
	}
	if (code != CL_SUCCESS)
		call_fail(s, call, code, "it uses an object that could not be"
		    " made, or an event that failed");
	else if (command_open(&c, s, call, q, &m->event_wait_list, &m->event))
		launch(&c, k, m);
}

/* ---- the rest ---------------------------------------------------------- */

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
	const struct vkernel *k = m->kernel.obj;
	cl_int code = CL_INVALID_VALUE;

	if (!device_has(k->program->devices[0], 2, 0))
		code = CL_INVALID_OPERATION;
	else if (m->param_name != CL_KERNEL_EXEC_INFO_SVM_PTRS ||
	    svm_pointers_ok(k->program->context, &m->value))
		code = clSetKernelExecInfo(native(k, 0),
		    (cl_uint)m->param_name, m->value.n, m->value.p);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
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
	else if (!vkernel_set_args(s, k, q->member, m->args))
		return;
	else if ((r.status = args_error(k)) == CL_SUCCESS)
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
	const struct vkernel *k = m->kernel.obj;
	concurrent_function *ask = (concurrent_function *)device_function(
	    q->device, FUNCTION_clGetKernelMaxConcurrentWorkGroupCountINTEL);
	struct reply_clGetKernelMaxConcurrentWorkGroupCountINTEL r = { 0 };
	size_t count = 0;

	r.status = CL_INVALID_OPERATION;
	if (m->work_dim == 0 || m->work_dim > 3)
		r.status = CL_INVALID_WORK_DIMENSION;
	else if (ask != NULL)
		r.status = ask(native(q, q->member), native(k, q->member),
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
	const struct vkernel *k = m->kernel.obj;
	const struct vdevice *d = m->device.obj;
	uint8_t value[SUB_GROUP_MAX];
	struct reply_clGetKernelSubGroupInfo r;
	size_t n = 0;

	/* Older vendors' tables have no such function. */
	if (!device_has(d != NULL ? d : k->program->devices[0], 2, 1))
		r.status = CL_INVALID_OPERATION;
	else
		r.status = clGetKernelSubGroupInfo(native(k, 0),
		    d != NULL ? d->device : NULL, (cl_uint)m->param_name,
		    m->input.n, m->input.n > 0 ? m->input.p : NULL,
		    sub_group_room(m->param_name), value, &n);
	r.value = (struct span){ value, r.status == CL_SUCCESS ? n : 0 };
	call_reply(s, call, &r);
}

void
exec_spill_size(struct serve *s, struct call *call, struct msg_spill_size *m)
{
	const struct vkernel *k = m->kernel.obj;
	const struct vdevice *d = m->device.obj;
	struct reply_spill_size r = { 0 };
	cl_ulong size = 0;

	r.status = clGetKernelWorkGroupInfo(native(k, 0), d->device,
	    CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof(size), &size, NULL);
	r.size = size;
	call_reply(s, call, &r);
}
