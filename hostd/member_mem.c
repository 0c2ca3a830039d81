/* SPDX-License-Identifier: ISC */
/*
 * member_mem - memory objects in members that had none of them: made again
 * from their recipes, without content.
 */
#include "hostd/member.h"

#include "hostd/calls.h"
#include "hostd/remake.h"

static cl_mem
make_buffer(const struct vmem *v, unsigned member, cl_int *code)
{
	struct msg_clCreateBufferWithProperties m;

	if (!recipe_decode(&v->o, &desc_clCreateBufferWithProperties, &m))
		return NULL;
	return clCreateBuffer(native(v->context, member),
	    vmem_flags(m.flags, NULL), m.size, NULL, code);
}

static cl_mem
make_sub_buffer(const struct vmem *v, unsigned member, cl_int *code)
{
	struct msg_clCreateSubBuffer m;
	cl_buffer_region region;

	if (!recipe_decode(&v->o, &desc_clCreateSubBuffer, &m))
		return NULL;
	region = (cl_buffer_region){ m.origin, m.size };
	return clCreateSubBuffer(native(v->parent, member),
	    vmem_flags(m.flags, NULL), CL_BUFFER_CREATE_TYPE_REGION, &region,
	    code);
}

static cl_mem
make_image(const struct vmem *v, unsigned member, cl_int *code)
{
	struct msg_clCreateImageWithProperties m;
	cl_image_format format;
	cl_image_desc desc;

	if (!recipe_decode(&v->o, &desc_clCreateImageWithProperties, &m))
		return NULL;
	format = (cl_image_format){ (cl_channel_order)m.channel_order,
		(cl_channel_type)m.channel_data_type };
	desc = image_descriptor(&m, v->parent != NULL ?
	    native(v->parent, member) : NULL);
	return clCreateImage(native(v->context, member),
	    vmem_flags(m.flags, NULL), &format, &desc, NULL, code);
}

cl_int
member_mem_make(struct vmem *v, unsigned member)
{
	cl_int code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
	cl_mem made;

	if (native(v, member) != NULL)
		return CL_SUCCESS;
	if (v->parent != NULL) {
		cl_int parent = member_mem_make(v->parent, member);

		if (parent != CL_SUCCESS)
			return parent;
	}
	if (v->element != 0)
		made = make_image(v, member, &code);
	else if (v->parent != NULL)
		made = make_sub_buffer(v, member, &code);
	else
		made = make_buffer(v, member, &code);
	if (code == CL_SUCCESS)
		v->o.native[member] = made;
	return code;
}

struct vmem *
member_mem_root(struct vmem *v, size_t *offset)
{
	*offset = 0;
	for (; v->parent != NULL; v = v->parent)
		*offset += v->origin;
	return v;
}
