/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetPipeInfo(object, param, size, value, size_ret);
}

void
check_clGetPipeInfo(struct world *w)
{
	cl_uint size = 77, n = 77;
	cl_mem_object_type type = 0;
	cl_mem pipe;

	if (older(w, 20))
		return;
	WANT(w, "query of a buffer", clGetPipeInfo(w->buffer,
	    CL_PIPE_PACKET_SIZE, sizeof(n), &n, NULL), CL_INVALID_MEM_OBJECT);
	pipe = clCreatePipe(w->context, 0, 16, 5, NULL, &w->err);
	if (w->err != CL_SUCCESS) {
		skip(w, "the rest", "no pipes");
		return;
	}
	query_cases(w, &(struct query){ .ask = ask, .object = pipe,
	    .type = "cl_mem", .no_object = CL_INVALID_MEM_OBJECT,
	    .param = CL_PIPE_PACKET_SIZE, .size = sizeof(cl_uint) });
	clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof(size), &size, NULL);
	clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof(n), &n, NULL);
	IS(w, "what it was made with", size == 16 && n == 5);
	must(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof(type), &type, NULL),
	    "CL_MEM_TYPE");
	IS(w, "its type", type == CL_MEM_OBJECT_PIPE);
	WANT(w, "image query of a pipe", clGetImageInfo(pipe, CL_IMAGE_WIDTH,
	    sizeof(n), &n, NULL), CL_INVALID_MEM_OBJECT);
	clReleaseMemObject(pipe);
}
