/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static const struct {
	const char *what;
	cl_mem_flags flags;
} wrong[] = {
	{ "flags unknown", NO_SUCH_BIT },
	{ "flags of images alone", CL_MEM_KERNEL_READ_AND_WRITE },
	{ "read and write only", CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY },
	{ "read-write and read only", CL_MEM_READ_WRITE | CL_MEM_READ_ONLY },
	{ "read-write and write only", CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY },
	{ "host read and write only",
	    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY },
	{ "host read only and no access",
	    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS },
	{ "host write only and no access",
	    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS },
};

static const struct {
	const char *what;
	cl_mem_flags flags;
	bool host;
} right[] = {
	{ "no flags", 0, false },
	{ "read-write", CL_MEM_READ_WRITE, false },
	{ "read only, host write only",
	    CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, false },
	{ "write only, host read only",
	    CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, false },
	{ "host no access", CL_MEM_HOST_NO_ACCESS, false },
	{ "allocated host pointer", CL_MEM_ALLOC_HOST_PTR, false },
	{ "copied host pointer", CL_MEM_COPY_HOST_PTR, true },
	{ "used host pointer", CL_MEM_USE_HOST_PTR, true },
	{ "allocated and copied host pointer",
	    CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, true },
};

static char host[WORLD_SIZE];

static cl_mem
make(struct world *w, cl_mem_flags flags, size_t size, void *p)
{
	return clCreateBuffer(w->context, flags, size, p, &w->err);
}

static void
flags(struct world *w)
{
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		WANT_NEW(w, wrong[i].what, make(w, wrong[i].flags, 16, NULL),
		    CL_INVALID_VALUE);
	WANT_NEW(w, "used and allocated host pointer", make(w,
	    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, host),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "used and copied host pointer", make(w,
	    CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, host),
	    CL_INVALID_VALUE);
	for (i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		WANT_NEW(w, right[i].what, make(w, right[i].flags, WORLD_SIZE,
		    right[i].host ? host : NULL), CL_SUCCESS);
}

static void
svm(struct world *w)
{
	void *p;

	if (w->version < 20 || world_info(w, CL_DEVICE_SVM_CAPABILITIES) == 0)
		return;
	p = clSVMAlloc(w->context, 0, 4096, 0);
	WANT_NEW(w, "more than the SVM that is used",
	    make(w, CL_MEM_USE_HOST_PTR, 8192, p), CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "more than the SVM that is copied",
	    make(w, CL_MEM_COPY_HOST_PTR, 8192, p), CL_INVALID_BUFFER_SIZE);
	clSVMFree(w->context, p);
}

void
check_clCreateBuffer(struct world *w)
{
	const size_t max = (size_t)world_info(w, CL_DEVICE_MAX_MEM_ALLOC_SIZE);

	WANT_HANDLE_NEW(w, "context", cl_context,
	    clCreateBuffer(h, 0, 16, NULL, &w->err), CL_INVALID_CONTEXT);
	flags(w);
	WANT_NEW(w, "no size", make(w, 0, 0, NULL), CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "one byte more than the device takes",
	    make(w, 0, max + 1, NULL), CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "the largest size of all", make(w, 0, SIZE_MAX, NULL),
	    CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "no host pointer to use",
	    make(w, CL_MEM_USE_HOST_PTR, 16, NULL), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "no host pointer to copy",
	    make(w, CL_MEM_COPY_HOST_PTR, 16, NULL), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "needless host pointer", make(w, 0, 16, host),
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "needless host pointer, one allocated",
	    make(w, CL_MEM_ALLOC_HOST_PTR, 16, host), CL_INVALID_HOST_PTR);
	svm(w);
	IS(w, "no place for the code", clCreateBuffer(w->context, 0, 16, NULL,
	    NULL) != NULL);
	IS(w, "no place for the code of an error",
	    clCreateBuffer(NULL, 0, 16, NULL, NULL) == NULL);
}
