/* SPDX-License-Identifier: ISC */
#include "hostd/kernel_table.h"

#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 4096
#define VALUE_MAX 4352		/* CL_DEVICE_MAX_PARAMETER_SIZE is about this */

/* ---- text ---------------------------------------------------------------- */

static char *
kernel_text(cl_kernel k, cl_kernel_info param)
{
	size_t n = 0;
	char *s;

	if (clGetKernelInfo(k, param, 0, NULL, &n) != CL_SUCCESS ||
	    (s = calloc(1, n + 1)) == NULL)
		return NULL;
	if (n > 0 && clGetKernelInfo(k, param, n, s, NULL) != CL_SUCCESS)
		s[0] = '\0';
	return s;
}

static char *
arg_text(cl_kernel k, cl_uint i, cl_kernel_arg_info param)
{
	size_t n = 0;
	char *s;

	if (clGetKernelArgInfo(k, i, param, 0, NULL, &n) != CL_SUCCESS ||
	    (s = calloc(1, n + 1)) == NULL)
		return NULL;
	if (n > 0 && clGetKernelArgInfo(k, i, param, n, s, NULL) !=
	    CL_SUCCESS)
		s[0] = '\0';
	return s;
}

static struct span
text_span(const char *s)
{
	return (struct span){ s != NULL ? s : "", s != NULL ? strlen(s) : 0 };
}

/* ---- arguments --------------------------------------------------------- */

/*
 * The size of a value, by trying: what OpenCL types have first, then every
 * size, for structs.  0: none is accepted.
 */
static size_t
value_size(cl_kernel k, cl_uint i)
{
	static const size_t usual[] = { 4, 8, 1, 2, 16, 32, 64, 128, 12, 24 };
	static const uint64_t zeros[VALUE_MAX / 8];
	size_t n;

	for (n = 0; n < sizeof(usual) / sizeof(usual[0]); n++)
		if (clSetKernelArg(k, i, usual[n], zeros) == CL_SUCCESS)
			return usual[n];
	for (n = 1; n <= VALUE_MAX; n++)
		if (clSetKernelArg(k, i, n, zeros) == CL_SUCCESS)
			return n;
	return 0;
}

/*
 * Kind of an argument of which the vendor tells nothing: local memory takes
 * any size without a value, a memory object takes a null one.
 */
static uint32_t
tried_kind(cl_kernel k, cl_uint i, uint64_t *size)
{
	static const uint64_t zero;

	if (clSetKernelArg(k, i, 16, NULL) == CL_SUCCESS)
		return ARG_LOCAL;
	if (clSetKernelArg(k, i, sizeof(cl_mem), NULL) == CL_SUCCESS)
		return ARG_MEM;
	if (clSetKernelArg(k, i, sizeof(cl_sampler), &zero) ==
	    CL_INVALID_SAMPLER)
		return ARG_SAMPLER;
	*size = value_size(k, i);
	return ARG_VALUE;
}

static uint32_t
told_kind(cl_kernel k, cl_uint i, const struct msg_arg_record *r)
{
	const char *type = r->type.p;

	if (r->qualifier & CL_KERNEL_ARG_TYPE_PIPE)
		return ARG_PIPE;
	if (strncmp(type, "image", 5) == 0 && strstr(type, "_t") != NULL)
		return ARG_IMAGE;
	if (strcmp(type, "sampler_t") == 0)
		return ARG_SAMPLER;
	if (strcmp(type, "queue_t") == 0)
		return ARG_QUEUE;
	switch (r->address) {
	case CL_KERNEL_ARG_ADDRESS_LOCAL:
		return ARG_LOCAL;
	case CL_KERNEL_ARG_ADDRESS_GLOBAL:
	case CL_KERNEL_ARG_ADDRESS_CONSTANT:
		return ARG_MEM;
	default:
		/* A type's other name may hide a sampler. */
		return clSetKernelArg(k, i, sizeof(cl_sampler),
		    &(uint64_t){ 0 }) == CL_INVALID_SAMPLER ? ARG_SAMPLER :
		    ARG_VALUE;
	}
}

/* False: the vendor does not tell about arguments. */
static bool
ask_arg(cl_kernel k, cl_uint i, struct msg_arg_record *r)
{
	cl_kernel_arg_address_qualifier address = 0;
	cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
	cl_kernel_arg_type_qualifier qualifier = 0;

	if (clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
	    sizeof(address), &address, NULL) != CL_SUCCESS)
		return false;
	clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ACCESS_QUALIFIER,
	    sizeof(access), &access, NULL);
	clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_QUALIFIER,
	    sizeof(qualifier), &qualifier, NULL);
	r->address = address;
	r->access = access;
	r->qualifier = qualifier;
	return true;
}

/* Encode one arg_record.  True: the vendor told. */
static bool
encode_arg(cl_kernel k, cl_uint i, struct buf *out)
{
	struct msg_arg_record r = { .access = CL_KERNEL_ARG_ACCESS_NONE,
		.address = CL_KERNEL_ARG_ADDRESS_PRIVATE };
	char *type = NULL, *name = NULL;
	bool told = ask_arg(k, i, &r);

	if (told) {
		type = arg_text(k, i, CL_KERNEL_ARG_TYPE_NAME);
		name = arg_text(k, i, CL_KERNEL_ARG_NAME);
		told = type != NULL && type[0] != '\0';
	}
	r.type = text_span(type);
	r.name = text_span(name);
	r.arg_kind = told ? told_kind(k, i, &r) : tried_kind(k, i, &r.size);
	if (r.arg_kind == ARG_VALUE && r.size == 0)
		r.size = value_size(k, i);
	buf_init(out);
	codec_encode(out, desc_arg_record.fields, desc_arg_record.field_count,
	    &r);
	free(type);
	free(name);
	return told;
}

/* ---- devices ----------------------------------------------------------- */

static uint64_t
work_u64(cl_kernel k, cl_device_id d, cl_kernel_work_group_info param)
{
	uint64_t v = 0;

	if (clGetKernelWorkGroupInfo(k, d, param, sizeof(v), &v, NULL) !=
	    CL_SUCCESS)
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

	clGetKernelWorkGroupInfo(k, d, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
	    sizeof(compile), compile, NULL);
	if (clGetKernelWorkGroupInfo(k, d, CL_KERNEL_GLOBAL_WORK_SIZE,
	    sizeof(global), global, NULL) == CL_SUCCESS)
		r.global_size = (struct span){ global, 3 };
	buf_init(out);
	codec_encode(out, desc_work_record.fields,
	    desc_work_record.field_count, &r);
}

/* ---- kernels ----------------------------------------------------------- */

static void
encode_kernel(cl_kernel k, const struct vprogram *p, struct buf *part,
    struct span *span, cl_uint args, struct buf *out)
{
	char *name = kernel_text(k, CL_KERNEL_FUNCTION_NAME);
	char *attributes = kernel_text(k, CL_KERNEL_ATTRIBUTES);
	struct msg_kernel_record r = {
		.name = text_span(name),
		.attributes = text_span(attributes),
		.arg_info = 1,
		.args = { span, args },
		.work = { span + args, p->device_count },
	};
	unsigned i, n = args + p->device_count;

	for (i = 0; i < args; i++)
		if (!encode_arg(k, i, &part[i]))
			r.arg_info = 0;
	for (i = 0; i < p->device_count; i++)
		encode_work(k, p->devices[i]->device, &part[args + i]);
	for (i = 0; i < n; i++)
		span[i] = (struct span){ buf_front(&part[i]),
			buf_len(&part[i]) };
	buf_init(out);
	codec_encode(out, desc_kernel_record.fields,
	    desc_kernel_record.field_count, &r);
	for (i = 0; i < n; i++)
		buf_fini(&part[i]);
	free(name);
	free(attributes);
}

static cl_int
add_kernel(struct kernel_table *t, const struct vprogram *p, cl_kernel k)
{
	struct buf *part = NULL;
	struct span *span = NULL;
	cl_uint args = 0;
	cl_int code = clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof(args),
	    &args, NULL);

	if (code == CL_SUCCESS && args <= ARGS_MAX) {
		part = calloc(args + p->device_count, sizeof(*part));
		span = calloc(args + p->device_count, sizeof(*span));
	}
	if (part != NULL && span != NULL)
		encode_kernel(k, p, part, span, args, &t->records[t->count]);
	else
		code = CL_OUT_OF_HOST_MEMORY;
	if (code == CL_SUCCESS) {
		t->spans[t->count] = (struct span){
			buf_front(&t->records[t->count]),
			buf_len(&t->records[t->count]) };
		t->count++;
	}
	free(part);
	free(span);
	return code;
}

static cl_int
add_kernels(struct kernel_table *t, const struct vprogram *p, cl_kernel *k,
    cl_uint n)
{
	cl_int code = CL_SUCCESS;
	cl_uint i;

	for (i = 0; i < n; i++) {
		if (code == CL_SUCCESS)
			code = add_kernel(t, p, k[i]);
		clReleaseKernel(k[i]);
	}
	return code;
}

cl_int
kernel_table_open(struct kernel_table *t, const struct vprogram *p,
    cl_program program)
{
	cl_kernel *k = NULL;
	cl_uint n = 0;
	cl_int code;

	memset(t, 0, sizeof(*t));
	code = clCreateKernelsInProgram(program, 0, NULL, &n);
	/* A program without kernels is no error for its build. */
	if (code != CL_SUCCESS || n == 0)
		return CL_SUCCESS;
	k = calloc(n, sizeof(cl_kernel));
	t->records = calloc(n, sizeof(*t->records));
	t->spans = calloc(n, sizeof(*t->spans));
	code = CL_OUT_OF_HOST_MEMORY;
	if (k != NULL && t->records != NULL && t->spans != NULL)
		code = clCreateKernelsInProgram(program, n, k, &n);
	if (code == CL_SUCCESS)
		code = add_kernels(t, p, k, n);
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
	free(t->records);
	free(t->spans);
	memset(t, 0, sizeof(*t));
}
