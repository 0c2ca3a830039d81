/* SPDX-License-Identifier: ISC */
#include "hostd/kernel_table.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/arg_record.h"
#include "hostd/context_notify.h"
#include "hostd/kernel_all.h"
#include "hostd/member.h"
#include "hostd/twice.h"

#define ARGS_MAX 4096

/* ---- devices ----------------------------------------------------------- */

static cl_int
ask_work(cl_kernel k, cl_device_id d, cl_kernel_work_group_info param,
    size_t n, void *v)
{
	return TWICE(clGetKernelWorkGroupInfo(k, d, param, n, v, NULL));
}

static uint64_t
work_u64(cl_kernel k, cl_device_id d, cl_kernel_work_group_info param)
{
	uint64_t v = 0;

	if (ask_work(k, d, param, sizeof(v), &v) != CL_SUCCESS)
		return 0;
	return v;
}

static void
encode_work(cl_kernel k, cl_device_id d, struct buf *out)
{
	size_t compile[3] = { 0 }, global[3] = { 0 };
	struct msg_work_record r = {
		.work_group_size = work_u64(k, d, CL_KERNEL_WORK_GROUP_SIZE),
		.local_size = work_u64(k, d, CL_KERNEL_LOCAL_MEM_SIZE),
		.private_size = work_u64(k, d, CL_KERNEL_PRIVATE_MEM_SIZE),
		.multiple = work_u64(k, d,
		    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE),
		.compile_size = { compile, 3 },
	};

	ask_work(k, d, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(compile),
	    compile);
	if (ask_work(k, d, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(global),
	    global) == CL_SUCCESS)
		r.global_size = (struct span){ global, 3 };
	buf_init(out);
	codec_encode(out, desc_work_record.fields,
	    desc_work_record.field_count, &r);
}

/* The same for one of the program's devices, whichever member it is in. */
static void
encode_work_for(cl_kernel k, const struct vprogram *p, unsigned device,
    const char *name, struct buf *out)
{
	const struct vdevice *d = p->devices[device];
	cl_program own = native(p, context_member(p->context, d));
	cl_int code;

	if (!context_is_mixed(p->context)) {
		encode_work(k, d->device, out);
		return;
	}
	k = own != NULL ? clCreateKernel(own, name, &code) : NULL;
	encode_work(k, d->device, out);
	if (k != NULL)
		clReleaseKernel(k);
}

/* ---- kernels ----------------------------------------------------------- */

/* Room for the records of one kernel's arguments and devices. */
struct parts {
	unsigned args, devices;
	struct buf *buf;
	struct span *span;
};

static char *
kernel_text(cl_kernel k, cl_kernel_info param)
{
	size_t n = 0;
	char *s;

	if (clGetKernelInfo(k, param, 0, NULL, &n) != CL_SUCCESS ||
	    (s = calloc(1, n + 1)) == NULL)
		return NULL;
	if (n == 0 || clGetKernelInfo(k, param, n, s, NULL) == CL_SUCCESS)
		return s;
	free(s);
	return NULL;
}

static void
encode_kernel(cl_kernel k, const struct vprogram *p, struct parts *part,
    struct kernel_kinds *kinds, struct buf *out)
{
	char *attributes = kernel_text(k, CL_KERNEL_ATTRIBUTES);
	struct msg_kernel_record r = {
		.name = span_text(kinds->name),
		.attributes = span_text(attributes),
		.arg_info = p->wished ? 2 : 1,
		.args = { part->span, part->args },
		.work = { part->span + part->args, part->devices },
	};
	unsigned i;

	/* Devices first: local memory is that of no arguments. */
	for (i = 0; i < part->devices; i++)
		encode_work_for(k, p, i, kinds->name,
		    &part->buf[part->args + i]);
	for (i = 0; i < part->args; i++)
		if (!arg_record_encode(k, i, &part->buf[i], kinds))
			r.arg_info = 0;
	for (i = 0; i < part->args + part->devices; i++)
		part->span[i] = (struct span){ buf_front(&part->buf[i]),
			buf_len(&part->buf[i]) };
	buf_init(out);
	codec_encode(out, desc_kernel_record.fields,
	    desc_kernel_record.field_count, &r);
	for (i = 0; i < part->args + part->devices; i++)
		buf_fini(&part->buf[i]);
	free(attributes);
}

static cl_int
add_kernel(struct kernel_table *t, const struct vprogram *p, cl_kernel k)
{
	struct kernel_kinds *kinds = &t->kinds[t->count];
	struct buf *record = &t->records[t->count];
	struct parts part = { .devices = p->device_count };
	cl_int code = clGetKernelInfo(k, CL_KERNEL_NUM_ARGS,
	    sizeof(part.args), &part.args, NULL);

	if (code != CL_SUCCESS)
		return code;
	if (part.args > ARGS_MAX)
		return CL_OUT_OF_HOST_MEMORY;
	part.buf = calloc(part.args + part.devices, sizeof(*part.buf));
	part.span = calloc(part.args + part.devices, sizeof(*part.span));
	kinds->name = kernel_text(k, CL_KERNEL_FUNCTION_NAME);
	kinds->kind = calloc(part.args + 1, sizeof(*kinds->kind));
	kinds->reads_only = calloc(part.args + 1, sizeof(bool));
	kinds->count = part.args;
	t->count++;
	code = CL_OUT_OF_HOST_MEMORY;
	if (part.buf != NULL && part.span != NULL && kinds->name != NULL &&
	    kinds->kind != NULL && kinds->reads_only != NULL) {
		encode_kernel(k, p, &part, kinds, record);
		t->spans[t->count - 1] = (struct span){ buf_front(record),
			buf_len(record) };
		code = record->failed ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
	}
	free(part.buf);
	free(part.span);
	return code;
}

/* Unless code is an error already; releases them in any case. */
static cl_int
add_kernels(struct kernel_table *t, const struct vprogram *p, cl_kernel *k,
    cl_uint n, cl_int code)
{
	cl_uint i;

	for (i = 0; i < n; i++) {
		if (code == CL_SUCCESS)
			code = add_kernel(t, p, k[i]);
		clReleaseKernel(k[i]);
	}
	return code;
}

/* Of the first member that has any. */
static cl_int
make_kernels(const struct vprogram *p, cl_kernel **k, cl_uint *n)
{
	cl_int code = CL_SUCCESS;
	unsigned m;

	*n = 0;
	for (m = 0; m < p->context->member_count && *n == 0; m++)
		if (native(p, m) != NULL)
			code = kernel_all_make(native(p, m), k, n);
	return code;
}

cl_int
kernel_table_open(struct kernel_table *t, const struct vprogram *p)
{
	cl_kernel *k;
	cl_uint n;
	cl_int code;

	memset(t, 0, sizeof(*t));
	code = make_kernels(p, &k, &n);
	if (code != CL_SUCCESS)
		return code;
	/* A program without kernels is no error for its build. */
	if (n == 0)
		return p->built_in ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
	t->records = calloc(n, sizeof(*t->records));
	t->spans = calloc(n, sizeof(*t->spans));
	t->kinds = calloc(n, sizeof(*t->kinds));
	if (t->records == NULL || t->spans == NULL || t->kinds == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	context_notify_mute(true);
	code = add_kernels(t, p, k, n, code);
	context_notify_mute(false);
	free(k);
	if (code != CL_SUCCESS)
		kernel_table_fini(t);
	return code;
}

void
kernel_table_fini(struct kernel_table *t)
{
	unsigned i;

	for (i = 0; i < t->count; i++)
		buf_fini(&t->records[i]);
	kernel_kinds_free(t->kinds, t->count);
	free(t->records);
	free(t->spans);
	memset(t, 0, sizeof(*t));
}
