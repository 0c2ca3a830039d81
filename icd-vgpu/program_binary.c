/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/program_binary.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/binary.h"
#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

#define TYPE_BYTES 8

/* ---- out --------------------------------------------------------------- */

static const char *
device_name(const struct device *d)
{
	size_t n;
	const char *name = device_info(d, CL_DEVICE_NAME, &n);

	return name != NULL && n > 0 && name[n - 1] == '\0' ? name : "";
}

/* The vendor's bytes of one device in their container; none where empty. */
static cl_int
wrap(const struct program_device *d, const struct span *payload,
    struct program_binary *out)
{
	uint64_t type = d->type;
	struct buf inner, outer;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (payload->n == 0)
		return CL_SUCCESS;
	buf_init(&inner);
	buf_init(&outer);
	buf_append(&inner, &type, TYPE_BYTES);
	buf_append(&inner, payload->p, payload->n);
	if (!inner.failed && binary_wrap(&outer, d->device->fingerprint,
	    device_name(d->device), buf_front(&inner),
	    buf_len(&inner)) == VGPU_OK &&
	    (out->p = malloc(buf_len(&outer))) != NULL) {
		out->n = buf_len(&outer);
		memcpy(out->p, buf_front(&outer), out->n);
		code = CL_SUCCESS;
	}
	buf_fini(&inner);
	buf_fini(&outer);
	return code;
}

/* With the lock held: keep what the host sent. */
static cl_int
take_binaries(struct program *p, struct span list)
{
	struct span element;
	cl_int code = CL_SUCCESS;
	cl_uint i;

	program_drop_binaries(p);
	p->binary = calloc(p->device_count, sizeof(*p->binary));
	if (p->binary == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; code == CL_SUCCESS && i < p->device_count &&
	    list_next(&list, &element); i++)
		code = wrap(&p->device[i], &element, &p->binary[i]);
	if (code != CL_SUCCESS)
		program_drop_binaries(p);
	return code;
}

static bool
has_some(struct program *p)
{
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (p->device[i].type != CL_PROGRAM_BINARY_TYPE_NONE)
			return true;
	return false;
}

/* Have p->binary filled in; the lock is held, except while waiting. */
static cl_int
fetch(struct program *p)
{
	struct msg_program_binaries m = { .program.id = p->o.id };
	struct reply_program_binaries r;
	struct buf body;
	cl_int code;

	if (p->binary != NULL)
		return CL_SUCCESS;
	if (!has_some(p) || p->building)
		return take_binaries(p, (struct span){ NULL, 0 });
	pthread_mutex_unlock(&p->lock);
	code = call_sync(&desc_program_binaries, &m, &r, &body);
	pthread_mutex_lock(&p->lock);
	if (code == CL_SUCCESS)
		code = take_binaries(p, r.binaries);
	buf_fini(&body);
	return code;
}

static cl_int
give_sizes(const struct program *p, struct info_out *out)
{
	size_t *sizes = calloc(p->device_count, sizeof(*sizes));
	cl_uint i;
	cl_int code;

	if (sizes == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < p->device_count; i++)
		sizes[i] = p->binary[i].n;
	code = info_bytes(out, sizes, p->device_count * sizeof(*sizes));
	free(sizes);
	return code;
}

cl_int
program_binary_sizes(struct program *p, struct info_out *out)
{
	cl_int code;

	pthread_mutex_lock(&p->lock);
	if ((code = fetch(p)) == CL_SUCCESS)
		code = give_sizes(p, out);
	pthread_mutex_unlock(&p->lock);
	return code;
}

/* The answer is written through an array of pointers, some of them null. */
static void
give_binaries(const struct program *p, unsigned char *const *place)
{
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (place[i] != NULL && p->binary[i].n > 0)
			memcpy(place[i], p->binary[i].p, p->binary[i].n);
}

cl_int
program_binaries(struct program *p, struct info_out *out)
{
	const size_t need = p->device_count * sizeof(unsigned char *);
	cl_int code;

	if (out->value != NULL) {
		if (out->size < need)
			return CL_INVALID_VALUE;
		pthread_mutex_lock(&p->lock);
		if ((code = fetch(p)) == CL_SUCCESS)
			give_binaries(p, out->value);
		pthread_mutex_unlock(&p->lock);
		if (code != CL_SUCCESS)
			return code;
	}
	if (out->size_ret != NULL)
		*out->size_ret = need;
	return CL_SUCCESS;
}

/* ---- in ---------------------------------------------------------------- */

static bool
known_type(uint64_t type)
{
	return type == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT ||
	    type == CL_PROGRAM_BINARY_TYPE_LIBRARY ||
	    type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
}

/* Open one container; the payload points into it. */
static cl_int
unwrap(struct program_device *d, const unsigned char *bytes, size_t n,
    struct span *payload)
{
	struct binary b;
	uint64_t type;

	if (bytes == NULL || n == 0)
		return CL_INVALID_VALUE;
	if (binary_unwrap(&b, bytes, n, d->device->fingerprint, NULL) !=
	    VGPU_OK || b.len <= TYPE_BYTES)
		return CL_INVALID_BINARY;
	memcpy(&type, b.payload, TYPE_BYTES);
	if (!known_type(type))
		return CL_INVALID_BINARY;
	d->type = (cl_program_binary_type)type;
	*payload = (struct span){ b.payload + TYPE_BYTES,
		b.len - TYPE_BYTES };
	return CL_SUCCESS;
}

/* All containers; each status is told, the first failure is returned. */
static cl_int
unwrap_all(struct program *p, const size_t *lengths,
    const unsigned char *const *binaries, cl_int *status,
    struct span *payload)
{
	cl_int code, first = CL_SUCCESS;
	cl_uint i;

	for (i = 0; i < p->device_count; i++) {
		code = unwrap(&p->device[i], binaries[i], lengths[i],
		    &payload[i]);
		if (status != NULL)
			status[i] = code;
		if (first == CL_SUCCESS)
			first = code;
	}
	return first;
}

static cl_int
create(struct program *p, const size_t *lengths,
    const unsigned char *const *binaries, cl_int *status)
{
	struct span *payload = calloc(p->device_count, sizeof(*payload));
	uint64_t *ids = calloc(p->device_count, sizeof(*ids));
	struct msg_clCreateProgramWithBinary m;
	cl_int code = CL_OUT_OF_HOST_MEMORY;
	cl_uint i;

	if (payload != NULL && ids != NULL &&
	    (code = unwrap_all(p, lengths, binaries, status, payload)) ==
	    CL_SUCCESS) {
		for (i = 0; i < p->device_count; i++)
			ids[i] = p->device[i].device->o.id;
		m.context.id = p->context->o.id;
		m.device_list = (struct span){ ids, p->device_count };
		m.payloads = (struct span){ payload, p->device_count };
		m.id.id = p->o.id;
		code = call_async(&desc_clCreateProgramWithBinary, &m, 0);
	}
	free(payload);
	free(ids);
	return code;
}

cl_program
icd_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
    const cl_device_id *device_list, const size_t *lengths,
    const unsigned char **binaries, cl_int *binary_status,
    cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct program *p = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((code = program_check_devices(c, num_devices,
	    device_list)) != CL_SUCCESS)
		;
	else if (lengths == NULL || binaries == NULL)
		code = CL_INVALID_VALUE;
	else if ((p = program_new(c, PROGRAM_BINARY, num_devices,
	    device_list)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = create(p, lengths, binaries, binary_status);
	return program_give(p, code, errcode_ret);
}
