/* SPDX-License-Identifier: ISC */
/*
 * exec_sampler - samplers, and pipes.
 */
#include "hostd/calls.h"

#include "hostd/member.h"
#include "hostd/remake.h"

static void
vsampler_fini(struct vobj *o)
{
	unsigned i;

	for (i = 0; i < MEMBERS_MAX; i++)
		if (o->native[i] != NULL)
			clReleaseSampler(o->native[i]);
}

/* The value of a property in the message's pairs, or what holds without. */
static uint64_t
property(const struct span *list, uint64_t name, uint64_t otherwise)
{
	const uint64_t *p = list->p;
	uint64_t i;

	for (i = 0; i + 1 < list->n; i += 2)
		if (p[i] == name)
			return p[i + 1];
	return otherwise;
}

static cl_sampler
make_sampler(cl_context context, const struct span *list, cl_int *code)
{
	cl_bool normalized = (cl_bool)property(list,
	    CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE);
	cl_addressing_mode addressing = (cl_addressing_mode)property(list,
	    CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP);
	cl_filter_mode filter = (cl_filter_mode)property(list,
	    CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST);

	/* These three are all there is, and OpenCL 1.x takes them too. */
	return clCreateSampler(context, normalized, addressing, filter, code);
}

cl_int
sampler_remake(struct vobj *o, const struct vcontext *c, unsigned member)
{
	struct msg_clCreateSamplerWithProperties m;
	cl_int code = CL_INVALID_SAMPLER;

	if (recipe_decode(o, &desc_clCreateSamplerWithProperties, &m))
		o->native[member] = make_sampler(native(c, member),
		    &m.property_list, &code);
	return code;
}

void
exec_clCreateSamplerWithProperties(struct serve *s, struct call *call,
    struct msg_clCreateSamplerWithProperties *m)
{
	struct vobj *o = object_new(s, call, OBJ_SAMPLER, m->id.id, sizeof(*o),
	    vsampler_fini);
	const struct vcontext *c = m->context.obj;
	cl_int code = CL_SUCCESS;
	unsigned i;

	if (o == NULL)
		return;
	for (i = 0; i < c->member_count && code == CL_SUCCESS; i++)
		o->native[i] = make_sampler(native(c, i), &m->property_list,
		    &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clCreatePipe(struct serve *s, struct call *call,
    struct msg_clCreatePipe *m)
{
	struct vcontext *c = m->context.obj;
	struct vmem *p = vmem_new(s, call, m->id.id, c, NULL, m->flags);
	cl_int code = CL_INVALID_OPERATION;

	if (p == NULL)
		return;
	/* What is in a pipe can't be copied. */
	if (!context_is_mixed(c))
		p->o.native[0] = clCreatePipe(native(c, 0), m->flags,
		    (cl_uint)m->pipe_packet_size,
		    (cl_uint)m->pipe_max_packets, NULL, &code);
	vmem_made(s, call, p, NULL, code);
}
