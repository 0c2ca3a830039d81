/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static _Alignas(4096) char host[WORLD_SIZE];

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetMemObjectInfo(object, param, size, value, size_ret);
}

static unsigned long long
number(cl_mem m, cl_mem_info param, size_t size)
{
	unsigned long long n = 0;

	must(clGetMemObjectInfo(m, param, size, &n, NULL),
	    "clGetMemObjectInfo");
	return n;
}

static void *
pointer(cl_mem m, cl_mem_info param)
{
	void *p = &p;

	must(clGetMemObjectInfo(m, param, sizeof(p), &p, NULL),
	    "clGetMemObjectInfo");
	return p;
}

static void
of_buffer(struct world *w)
{
	const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |
	    CL_MEM_HOST_WRITE_ONLY;
	cl_mem m = clCreateBuffer(w->context, flags, WORLD_SIZE, host,
	    &w->err);
	void *p;

	must(w->err, "clCreateBuffer");
	IS(w, "type", number(m, CL_MEM_TYPE, sizeof(cl_mem_object_type)) ==
	    CL_MEM_OBJECT_BUFFER);
	IS(w, "flags", number(m, CL_MEM_FLAGS, sizeof(flags)) == flags);
	IS(w, "size", number(m, CL_MEM_SIZE, sizeof(size_t)) == WORLD_SIZE);
	IS(w, "host pointer", pointer(m, CL_MEM_HOST_PTR) == host);
	IS(w, "no host pointer",
	    pointer(w->buffer, CL_MEM_HOST_PTR) == NULL);
	IS(w, "context", pointer(m, CL_MEM_CONTEXT) == (void *)w->context);
	IS(w, "parent and place in it",
	    pointer(m, CL_MEM_ASSOCIATED_MEMOBJECT) == NULL &&
	    number(m, CL_MEM_OFFSET, sizeof(size_t)) == 0);
	p = clEnqueueMapBuffer(w->queue, m, CL_TRUE, CL_MAP_WRITE, 0, 16, 0,
	    NULL, NULL, &w->err);
	must(w->err, "clEnqueueMapBuffer");
	IS(w, "number of maps",
	    number(m, CL_MEM_MAP_COUNT, sizeof(cl_uint)) == 1);
	must(clEnqueueUnmapMemObject(w->queue, m, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	clFinish(w->queue);
	IS(w, "number of maps when all are undone",
	    number(m, CL_MEM_MAP_COUNT, sizeof(cl_uint)) == 0);
	clReleaseMemObject(m);
}

static void
of_part(struct world *w)
{
	const cl_buffer_region r = { 1024, 512 };
	cl_mem m = clCreateBuffer(w->context, CL_MEM_USE_HOST_PTR |
	    CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, WORLD_SIZE, host,
	    &w->err), s;

	must(w->err, "clCreateBuffer");
	s = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r,
	    &w->err);
	must(w->err, "clCreateSubBuffer");
	IS(w, "sub-buffer: parent and place in it",
	    pointer(s, CL_MEM_ASSOCIATED_MEMOBJECT) == (void *)m &&
	    number(s, CL_MEM_OFFSET, sizeof(size_t)) == 1024);
	IS(w, "sub-buffer: size and type",
	    number(s, CL_MEM_SIZE, sizeof(size_t)) == 512 &&
	    number(s, CL_MEM_TYPE, sizeof(cl_mem_object_type)) ==
	    CL_MEM_OBJECT_BUFFER);
	IS(w, "sub-buffer: host pointer",
	    pointer(s, CL_MEM_HOST_PTR) == host + 1024);
	IS(w, "sub-buffer: flags are the buffer's",
	    number(s, CL_MEM_FLAGS, sizeof(cl_mem_flags)) ==
	    number(m, CL_MEM_FLAGS, sizeof(cl_mem_flags)));
	clReleaseMemObject(s);
	clReleaseMemObject(m);
}

void
check_clGetMemObjectInfo(struct world *w)
{
	query_cases(w, &(struct query){ .ask = ask, .object = w->buffer,
	    .type = "cl_mem", .no_object = CL_INVALID_MEM_OBJECT,
	    .param = CL_MEM_SIZE, .size = sizeof(size_t) });
	IS(w, "a buffer of no flags is for reading and writing",
	    number(w->buffer, CL_MEM_FLAGS, sizeof(cl_mem_flags)) ==
	    CL_MEM_READ_WRITE);
	if (w->version >= 20)
		IS(w, "no SVM in it", number(w->buffer,
		    CL_MEM_USES_SVM_POINTER, sizeof(cl_bool)) == CL_FALSE);
	of_buffer(w);
	of_part(w);
}
