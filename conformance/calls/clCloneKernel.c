/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
first_number(struct world *w)
{
	cl_int v = -1;

	must(clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof(v),
	    &v, 0, NULL, NULL), "clEnqueueReadBuffer");
	return v;
}

static void
set(cl_kernel k, cl_uint i, size_t n, const void *p)
{
	must(clSetKernelArg(k, i, n, p), "clSetKernelArg");
}

static void
right(struct world *w, cl_kernel from)
{
	const cl_int zero = 0, five = 5, seven = 7;
	cl_kernel k = NULL;
	cl_uint n = 77;

	must(clEnqueueWriteBuffer(w->queue, w->buffer, CL_TRUE, 0,
	    sizeof(zero), &zero, 0, NULL, NULL), "clEnqueueWriteBuffer");
	set(from, 0, sizeof(w->buffer), &w->buffer);
	set(from, 1, sizeof(five), &five);
	set(from, 2, 16, NULL);
	WANT_NEW(w, "a kernel", k = clCloneKernel(from, &w->err), CL_SUCCESS);
	if (k == NULL)
		return;
	IS(w, "it is another one", k != from);
	must(clGetKernelInfo(k, CL_KERNEL_REFERENCE_COUNT, sizeof(n), &n,
	    NULL), "CL_KERNEL_REFERENCE_COUNT");
	IS(w, "it has one reference", n == 1);
	set(from, 1, sizeof(seven), &seven);
	WANT(w, "it runs", clEnqueueTask(w->queue, k, 0, NULL, NULL),
	    CL_SUCCESS);
	IS(w, "with the arguments it was made with", first_number(w) == 5);
	set(k, 1, sizeof(zero), &zero);
	WANT(w, "the other runs", clEnqueueTask(w->queue, from, 0, NULL,
	    NULL), CL_SUCCESS);
	IS(w, "with its own", first_number(w) == 12);
	clReleaseKernel(k);
}

/* Arguments that were not set are not set in the clone. */
static void
unset(struct world *w)
{
	cl_kernel from = world_kernel_of(w, world_program(w), "add"), k = NULL;

	WANT_NEW(w, "a kernel without arguments", k = clCloneKernel(from,
	    &w->err), CL_SUCCESS);
	if (k != NULL) {
		WANT(w, "it has none either", clEnqueueTask(w->queue, k, 0,
		    NULL, NULL), CL_INVALID_KERNEL_ARGS);
		clReleaseKernel(k);
	}
	clReleaseKernel(from);
}

void
check_clCloneKernel(struct world *w)
{
	if (older(w, 21))
		return;
	WANT_HANDLE_NEW(w, "kernel", cl_kernel, clCloneKernel(h, &w->err),
	    CL_INVALID_KERNEL);
	IS(w, "without errcode_ret, failing",
	    clCloneKernel((cl_kernel)w->queue, NULL) == NULL);
	right(w, world_kernel(w));
	unset(w);
}
