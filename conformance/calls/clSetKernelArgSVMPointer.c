/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clSetKernelArgSVMPointer(struct world *w)
{
	const cl_device_svm_capabilities svm =
	    world_info(w, CL_DEVICE_SVM_CAPABILITIES);
	cl_kernel k = world_kernel(w);
	char *p;

	if (older(w, 20))
		return;
	WANT_HANDLE(w, "kernel", cl_kernel, clSetKernelArgSVMPointer(h, 0,
	    NULL), CL_INVALID_KERNEL);
	if (svm == 0) {
		WANT(w, "no device has SVM", clSetKernelArgSVMPointer(k, 0,
		    NULL), CL_INVALID_OPERATION);
		return;
	}
	p = clSVMAlloc(w->context, CL_MEM_READ_WRITE, WORLD_SIZE, 0);
	must(p == NULL ? CL_OUT_OF_RESOURCES : CL_SUCCESS, "clSVMAlloc");
	WANT(w, "no such argument", clSetKernelArgSVMPointer(k, 3, p),
	    CL_INVALID_ARG_INDEX);
	WANT(w, "an argument that is a number", clSetKernelArgSVMPointer(k, 1,
	    p), CL_INVALID_ARG_VALUE);
	WANT(w, "an argument of local memory", clSetKernelArgSVMPointer(k, 2,
	    p), CL_INVALID_ARG_VALUE);
	if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
		WANT(w, "memory that is no SVM", clSetKernelArgSVMPointer(k,
		    0, w), CL_INVALID_ARG_VALUE, CL_SUCCESS);
	WANT(w, "a null pointer", clSetKernelArgSVMPointer(k, 0, NULL),
	    CL_SUCCESS);
	WANT(w, "a pointer", clSetKernelArgSVMPointer(k, 0, p), CL_SUCCESS);
	WANT(w, "a pointer into an allocation", clSetKernelArgSVMPointer(k, 0,
	    p + 64), CL_SUCCESS);
	clSVMFree(w->context, p);
}
