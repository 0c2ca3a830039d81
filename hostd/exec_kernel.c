/* SPDX-License-Identifier: ISC */
/*
 * exec_kernel - kernels, their arguments, and launches.
 */
#include <stdlib.h>

#include "hostd/command.h"
#include "hostd/exec_program.h"
#include "hostd/idtab.h"

struct vkernel {
	struct vobj o;
	struct vprogram *program;
};

static void
vkernel_fini(struct vobj *o)
{
	struct vkernel *k = (struct vkernel *)o;

	if (native(k, 0) != NULL)
		clReleaseKernel(native(k, 0));
	object_unref(k->program);
}

void
exec_clCreateKernel(struct serve *s, struct call *call,
    struct msg_clCreateKernel *m)
{
	struct vprogram *p = m->program.obj;
	struct vkernel *k = object_new(s, call, OBJ_KERNEL, m->id.id,
	    sizeof(*k), vkernel_fini);
	cl_int code;

	if (k == NULL)
		return;
	vprogram_settle(p);
	k->program = object_ref(p);
	k->o.native[0] = clCreateKernel(native(p, 0), m->kernel_name.p, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

/* ---- arguments --------------------------------------------------------- */

static const enum obj_kind object_kind[ARG_KIND_COUNT] = {
	[ARG_MEM] = OBJ_MEM, [ARG_IMAGE] = OBJ_MEM, [ARG_PIPE] = OBJ_MEM,
	[ARG_SAMPLER] = OBJ_SAMPLER, [ARG_QUEUE] = OBJ_QUEUE,
};

static cl_int
set_object(struct serve *s, cl_kernel kernel, unsigned member,
    const struct arg *arg)
{
	uint64_t id = *(const uint64_t *)arg->value;
	const struct vobj *o;
	void *handle;

	if (id == 0)
		return clSetKernelArg(kernel, arg->index, sizeof(handle),
		    &(void *){ NULL });
	o = idtab_get(s->objects, id, object_kind[arg->kind]);
	if (o == NULL) {
		serve_fail(s, VGPU_EPROTO, "argument %u of a kernel names no"
		    " such object", arg->index);
		return CL_INVALID_ARG_VALUE;
	}
	if (o->error != CL_SUCCESS)
		return o->error;
	handle = native(o, member);
	return clSetKernelArg(kernel, arg->index, sizeof(handle), &handle);
}

static cl_int
set_arg(struct serve *s, cl_kernel kernel, unsigned member,
    const struct arg *arg)
{
	switch ((enum arg_kind)arg->kind) {
	case ARG_VALUE:
	case ARG_LOCAL:
		return clSetKernelArg(kernel, arg->index, arg->size,
		    arg->value);
	case ARG_SVM:
		return clSetKernelArgSVMPointer(kernel, arg->index,
		    *(void *const *)arg->value);
	default:
		return set_object(s, kernel, member, arg);
	}
}

static cl_int
set_args(struct serve *s, const struct vkernel *k, unsigned member,
    struct span args)
{
	cl_int code = CL_SUCCESS;
	struct arg arg;

	while (code == CL_SUCCESS && args_next(&args, &arg))
		code = set_arg(s, native(k, member), member, &arg);
	return code;
}

/* ---- launches ---------------------------------------------------------- */

/*
 * A launch of nothing (OpenCL 3.0, 5.8) is only a place in the order, which
 * not all vendors know.
 */
static bool
launches_nothing(const struct msg_clEnqueueNDRangeKernel *m)
{
	const uint64_t *size = m->global_work_size.p;
	uint64_t i;

	for (i = 0; i < m->global_work_size.n; i++)
		if (size[i] == 0)
			return true;
	return m->global_work_size.n == 0;
}

static const size_t *
sizes(const struct span *span)
{
	return span->n > 0 ? span->p : NULL;
}

void
exec_clEnqueueNDRangeKernel(struct serve *s, struct call *call,
    struct msg_clEnqueueNDRangeKernel *m)
{
	struct vkernel *k = m->kernel.obj;
	struct command c;
	cl_int code;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	code = set_args(s, k, c.member, m->args);
	if (code != CL_SUCCESS)
		command_close(&c, code);
	else if (launches_nothing(m))
		command_close(&c, clEnqueueMarkerWithWaitList(c.queue,
		    c.wait_count, c.wait, c.event_ret));
	else
		command_close(&c, clEnqueueNDRangeKernel(c.queue,
		    native(k, c.member), (cl_uint)m->work_dim,
		    sizes(&m->global_work_offset), sizes(&m->global_work_size),
		    sizes(&m->local_work_size), c.wait_count, c.wait,
		    c.event_ret));
}

void
exec_clSetKernelExecInfo(struct serve *s, struct call *call,
    struct msg_clSetKernelExecInfo *m)
{
	cl_int code = clSetKernelExecInfo(native(m->kernel.obj, 0),
	    (cl_uint)m->param_name, m->value.n, m->value.p);

	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

#define SUB_GROUP_MAX 1024

void
exec_clGetKernelSubGroupInfo(struct serve *s, struct call *call,
    struct msg_clGetKernelSubGroupInfo *m)
{
	const struct vdevice *d = m->device.obj;
	uint8_t value[SUB_GROUP_MAX];
	struct reply_clGetKernelSubGroupInfo r;
	size_t n = 0;

	r.status = clGetKernelSubGroupInfo(native(m->kernel.obj, 0),
	    d != NULL ? d->device : NULL, (cl_uint)m->param_name, m->input.n,
	    m->input.n > 0 ? m->input.p : NULL, sizeof(value), value, &n);
	r.value = (struct span){ value, r.status == CL_SUCCESS ? n : 0 };
	call_reply(s, call, &r);
}
