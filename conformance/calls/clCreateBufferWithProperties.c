/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

#include <string.h>

static cl_mem
make(struct world *w, const cl_mem_properties *list, cl_mem_flags flags,
    size_t size, void *p)
{
	return clCreateBufferWithProperties(w->context, list, flags, size, p,
	    &w->err);
}

static void
told(struct world *w, const cl_mem_properties *list, size_t size)
{
	cl_mem_properties got[4];
	size_t n = 77;
	cl_mem m = make(w, list, 0, 16, NULL);

	must(w->err, "clCreateBufferWithProperties");
	memset(got, 255, sizeof(got));
	WANT(w, list != NULL ? "query of an empty list" : "query of no list",
	    clGetMemObjectInfo(m, CL_MEM_PROPERTIES, sizeof(got), got, &n),
	    CL_SUCCESS);
	IS(w, "the list as it was given",
	    n == size && (list == NULL || got[0] == 0));
	clReleaseMemObject(m);
}

void
check_clCreateBufferWithProperties(struct world *w)
{
	const cl_mem_properties empty[] = { 0 };
	const cl_mem_properties unknown[] = { NO_SUCH_NAME, 1, 0 };
	char host[16];

	if (older(w, 30))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context,
	    clCreateBufferWithProperties(h, NULL, 0, 16, NULL, &w->err),
	    CL_INVALID_CONTEXT);
	WANT_NEW(w, "unknown property", make(w, unknown, 0, 16, NULL),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "unknown flags", make(w, NULL, NO_SUCH_BIT, 16, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "flags that exclude each other", make(w, NULL,
	    CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "no size", make(w, NULL, 0, 0, NULL),
	    CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "the largest size of all", make(w, NULL, 0, SIZE_MAX,
	    NULL), CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "no host pointer", make(w, NULL, CL_MEM_COPY_HOST_PTR, 16,
	    NULL), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "needless host pointer", make(w, NULL, 0, 16, host),
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "no list", make(w, NULL, 0, 16, NULL), CL_SUCCESS);
	WANT_NEW(w, "empty list", make(w, empty, 0, 16, NULL), CL_SUCCESS);
	told(w, NULL, 0);
	told(w, empty, sizeof(empty));
}
