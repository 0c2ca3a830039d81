/* SPDX-License-Identifier: ISC */
#include "hostd/kernel_arg.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/calls.h"
#include "hostd/exec_program.h"
#include "hostd/exec_svm.h"
#include "hostd/idtab.h"
#include "hostd/kernel_member.h"
#include "hostd/member.h"

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

/* ---- keeping them ------------------------------------------------------ */

static void
drop(struct varg *a)
{
	if (a->listed)
		LIST_REMOVE(a, user);
	a->listed = false;
	object_unref(a->object);
	a->object = NULL;
}

static void
keep(struct varg *a, struct vobj *o, bool recorded)
{
	object_ref(o);
	drop(a);
	a->object = o;
	a->listed = !recorded && o != NULL && o->kind == OBJ_MEM;
	if (a->listed)
		LIST_INSERT_HEAD(&((struct vmem *)o)->users, a, user);
}

void
kernel_args_free(struct vkernel *k)
{
	unsigned i;

	for (i = 0; i < k->arg_count; i++) {
		drop(&k->arg[i]);
		kernel_member_forget(&k->arg[i]);
	}
	free(k->arg);
}

void
kernel_args_forget(struct vmem *m)
{
	struct varg *a;

	while ((a = LIST_FIRST(&m->users)) != NULL) {
		drop(a);
		a->error = CL_INVALID_KERNEL_ARGS;
	}
}

static cl_int
set_arg(struct vkernel *k, unsigned member, const struct arg *arg,
    const struct vobj *o)
{
	const struct vcontext *c = k->program->context;
	struct varg *to = &k->arg[arg->index];
	cl_int code = CL_SUCCESS;

	if (!context_is_mixed(c))
		code = set_native(k, member, arg, o);
	else if (arg->kind == ARG_SVM)
		code = CL_INVALID_ARG_VALUE;
	if (code == CL_SUCCESS && (context_is_mixed(c) || c->moves))
		code = kernel_member_keep(to, arg);
	return code;
}

bool
kernel_set_args(struct serve *s, struct vkernel *k, unsigned member,
    struct span args)
{
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
		to->error = set_arg(k, member, &arg, o);
		keep(to, o, k->recorded);
	}
	return true;
}

bool
kernel_record_args(struct serve *s, void *kernel, unsigned member,
    struct span args)
{
	struct vkernel *k = kernel;

	k->recorded = true;
	return kernel_set_args(s, k, member, args);
}

cl_int
kernel_args_error(const struct vkernel *k)
{
	unsigned i;

	for (i = 0; i < k->arg_count; i++)
		if (k->arg[i].error != CL_SUCCESS)
			return k->arg[i].error;
	return CL_SUCCESS;
}
