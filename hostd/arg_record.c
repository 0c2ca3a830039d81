/* SPDX-License-Identifier: ISC */
#include "hostd/arg_record.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/exec_program.h"

#define OFFERS_MAX 4	/* of a value on which a vendor changes its mind */
#define VALUE_MAX 4352		/* CL_DEVICE_MAX_PARAMETER_SIZE is about this */

/* ---- by trying ----------------------------------------------------------- */

/*
 * What the vendor says to a value.  A refusal has to be heard twice, as what is
 * concluded from it is kept with the program.
 */
static cl_int
offer(cl_kernel k, cl_uint i, size_t n, const void *value)
{
	cl_int code = clSetKernelArg(k, i, n, value), before;
	unsigned tries = 0;

	do {
		before = code;
		if (code != CL_SUCCESS)
			code = clSetKernelArg(k, i, n, value);
	} while (code != before && ++tries < OFFERS_MAX);
	return code;
}

static bool
takes(cl_kernel k, cl_uint i, size_t n)
{
	static const uint64_t zeros[VALUE_MAX / 8];

	return offer(k, i, n, zeros) == CL_SUCCESS;
}

/*
 * The size of a value, by trying: what OpenCL types have first, as PoCL takes
 * three quarters of them too, then every size, for structs.  0: the vendor
 * takes any (PoCL does for structs), or none that was tried.
 */
static size_t
value_size(cl_kernel k, cl_uint i)
{
	static const size_t usual[] = { 4, 8, 1, 2, 16, 32, 64, 128 };
	size_t n;

	if (takes(k, i, 5) && takes(k, i, 7))
		return 0;
	for (n = 0; n < sizeof(usual) / sizeof(usual[0]); n++)
		if (takes(k, i, usual[n]))
			return usual[n];
	for (n = 1; n <= VALUE_MAX; n++)
		if (takes(k, i, n))
			return n;
	return 0;
}

/*
 * Kind of an argument of which the vendor tells nothing, by what it says to one
 * without a value, or with a null handle: local memory takes any size, a
 * buffer the null one, and others name what it is not.  A pipe has no code of
 * its own, but refuses what each value of its size may be.
 */
static uint32_t
tried_kind(cl_kernel k, cl_uint i, uint64_t *size)
{
	static const uint64_t zero;
	cl_int code;

	if (offer(k, i, 16, NULL) == CL_SUCCESS)
		return ARG_LOCAL;
	code = offer(k, i, sizeof(cl_mem), NULL);
	if (code == CL_SUCCESS)
		return ARG_MEM;
	if (code == CL_INVALID_MEM_OBJECT)
		return ARG_IMAGE;
	switch (offer(k, i, sizeof(zero), &zero)) {
	case CL_INVALID_SAMPLER:
		return ARG_SAMPLER;
	case CL_INVALID_DEVICE_QUEUE:
		return ARG_QUEUE;
	case CL_INVALID_ARG_VALUE:
		return ARG_PIPE;
	default:
		*size = value_size(k, i);
		return ARG_VALUE;
	}
}

/* ---- by asking ----------------------------------------------------------- */

static uint32_t
told_kind(cl_kernel k, cl_uint i, const struct msg_arg_record *r)
{
	const char *type = r->type.p;

	if (r->qualifier & CL_KERNEL_ARG_TYPE_PIPE)
		return ARG_PIPE;
	if (r->access != CL_KERNEL_ARG_ACCESS_NONE ||
	    (strncmp(type, "image", 5) == 0 && strstr(type, "_t") != NULL))
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
		return offer(k, i, sizeof(cl_sampler),
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

bool
arg_record_reads_only(const struct msg_arg_record *r)
{
	return (r->qualifier & CL_KERNEL_ARG_TYPE_CONST) ||
	    r->address == CL_KERNEL_ARG_ADDRESS_CONSTANT ||
	    r->access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
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

bool
arg_record_encode(cl_kernel k, cl_uint i, struct buf *out,
    struct kernel_kinds *kinds)
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
	r.type = span_text(type);
	r.name = span_text(name);
	r.arg_kind = told ? told_kind(k, i, &r) : tried_kind(k, i, &r.size);
	if (r.arg_kind == ARG_VALUE && r.size == 0)
		r.size = value_size(k, i);
	kinds->kind[i] = (uint8_t)r.arg_kind;
	kinds->reads_only[i] = told && arg_record_reads_only(&r);
	buf_init(out);
	codec_encode(out, desc_arg_record.fields, desc_arg_record.field_count,
	    &r);
	free(type);
	free(name);
	return told;
}
