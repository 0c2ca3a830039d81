/* SPDX-License-Identifier: ISC */
/*
 * exec_arg_info - whether a vendor tells about the arguments of kernels that
 * were built without -cl-kernel-arg-info.
 *
 * Only trying tells.  Builds ask for it always, since kinds of arguments are
 * known for certain only so; few programs ask, so this is tried for them alone.
 */
#include "hostd/calls.h"

#include <stdlib.h>

#include "hostd/exec_device.h"
#include "hostd/worker.h"

struct trial {
	struct serve *serve;
	struct vdevice *device;	/* a reference */
	uint64_t serial;
};

static bool
kernel_tells(cl_program program)
{
	cl_kernel_arg_address_qualifier q = 0;
	cl_kernel kernel;
	cl_int code;

	kernel = clCreateKernel(program, "vgpu_trial", &code);
	if (kernel == NULL || code != CL_SUCCESS)
		return false;
	code = clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
	    sizeof(q), &q, NULL);
	clReleaseKernel(kernel);
	return code == CL_SUCCESS && q == CL_KERNEL_ARG_ADDRESS_GLOBAL;
}

/* Build a tiny kernel. */
static bool
device_tells(cl_device_id device)
{
	const char *source = "kernel void vgpu_trial(global int *to, int x)"
	    " { *to = x; }";
	bool tells = false;
	cl_program program;
	cl_context context;
	cl_int code;

	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	if (context == NULL || code != CL_SUCCESS)
		return false;
	program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
	if (program != NULL) {
		tells = clBuildProgram(program, 1, &device, "", NULL, NULL) ==
		    CL_SUCCESS && kernel_tells(program);
		clReleaseProgram(program);
	}
	clReleaseContext(context);
	return tells;
}

static void
work(void *arg)
{
	struct trial *t = arg;
	const struct reply_arg_info r = {
		.always = device_tells(t->device->device),
	};

	serve_reply(t->serve, &desc_arg_info, t->serial, &r);
}

static void
done(struct serve *s, void *arg)
{
	struct trial *t = arg;

	(void)s;
	object_unref(t->device);
	free(t);
}

void
exec_arg_info(struct serve *s, struct call *call, struct msg_arg_info *m)
{
	struct vdevice *d = device_alone(m->device.obj);
	const char *reason = NULL;
	struct trial *t;
	cl_int code;

	if ((code = device_open(s, d, &reason)) != CL_SUCCESS) {
		call_fail(s, call, code, reason);
		return;
	}
	if ((t = calloc(1, sizeof(*t))) == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return;
	}
	t->serve = s;
	t->device = object_ref(d);
	t->serial = call->serial;
	if (worker_run(s, work, done, t))
		return;
	call_fail(s, call, CL_OUT_OF_HOST_MEMORY, "no thread");
	done(s, t);
}
