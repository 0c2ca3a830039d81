/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/calls.h"

#include "icd-vgpu/call.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/platform.h"

/* Every device of OpenCL 2.0 to 2.2 has pipes; later ones say so. */
static bool
has_pipes(const struct device *d)
{
	cl_version v = device_version(d);

	if (v >= CL_MAKE_VERSION(3, 0, 0))
		return device_u64(d, CL_DEVICE_PIPE_SUPPORT) != 0;
	return v >= CL_MAKE_VERSION(2, 0, 0);
}

/* The largest packet of the context's devices, 0: none has pipes. */
static uint64_t
largest_packet(const struct context *c)
{
	uint64_t max = 0, n;
	cl_uint i;

	for (i = 0; i < c->device_count; i++) {
		if (!has_pipes(c->device[i]))
			continue;
		n = device_u64(c->device[i], CL_DEVICE_PIPE_MAX_PACKET_SIZE);
		max = n > max ? n : max;
	}
	return max;
}

static cl_int
check_pipe(const struct context *c, cl_mem_flags flags, cl_uint packet_size,
    cl_uint max_packets, const cl_pipe_properties *properties)
{
	const cl_mem_flags known = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
	uint64_t largest = largest_packet(c);

	if (largest == 0)
		return CL_INVALID_OPERATION;
	if ((flags & ~known) || properties != NULL)
		return CL_INVALID_VALUE;
	if (packet_size == 0 || packet_size > largest || max_packets == 0)
		return CL_INVALID_PIPE_SIZE;
	return CL_SUCCESS;
}

static cl_int
pipe_send(const struct mem *p)
{
	struct msg_clCreatePipe m = {
		.context.id = p->context->o.id,
		.flags = p->flags & CL_MEM_READ_WRITE,
		.pipe_packet_size = p->packet_size,
		.pipe_max_packets = p->max_packets,
		.id.id = p->o.id,
	};

	return call_async(&desc_clCreatePipe, &m, 0);
}

static struct mem *
pipe_new(struct context *c, cl_mem_flags flags, cl_uint packet_size,
    cl_uint max_packets)
{
	struct mem *p = mem_new(c, CL_MEM_OBJECT_PIPE);

	if (p == NULL)
		return NULL;
	p->flags = flags != 0 ? flags :
	    CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
	p->packet_size = packet_size;
	p->max_packets = max_packets;
	p->size = (size_t)packet_size * max_packets;
	return p;
}

cl_mem
icd_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
    cl_uint max_packets, const cl_pipe_properties *properties,
    cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct mem *p = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((code = check_pipe(c, flags, packet_size, max_packets,
	    properties)) != CL_SUCCESS)
		;
	else if ((p = pipe_new(c, flags, packet_size, max_packets)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else if ((code = pipe_send(p)) != CL_SUCCESS) {
		mem_drop(p);
		p = NULL;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_mem)(void *)p;
}

cl_int
query_pipe(struct object *o, cl_uint param, struct info_out *out)
{
	const struct mem *p = (const struct mem *)o;

	if (p->type != CL_MEM_OBJECT_PIPE)
		return CL_INVALID_MEM_OBJECT;
	switch (param) {
	case CL_PIPE_PACKET_SIZE:
		return INFO_VALUE(out, cl_uint, p->packet_size);
	case CL_PIPE_MAX_PACKETS:
		return INFO_VALUE(out, cl_uint, p->max_packets);
	case CL_PIPE_PROPERTIES:
		return info_bytes(out, NULL, 0);
	default:
		return CL_INVALID_VALUE;
	}
}
