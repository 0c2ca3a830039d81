/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static void
pointers(struct world *w, cl_kernel k)
{
	const cl_kernel_exec_info name = CL_KERNEL_EXEC_INFO_SVM_PTRS;
	void *p = clSVMAlloc(w->context, CL_MEM_READ_WRITE, WORLD_SIZE, 0);

	must(p == NULL ? CL_OUT_OF_RESOURCES : CL_SUCCESS, "clSVMAlloc");
	WANT(w, "pointers nowhere", clSetKernelExecInfo(k, name, sizeof(p),
	    NULL), CL_INVALID_VALUE);
	WANT(w, "half a pointer", clSetKernelExecInfo(k, name, sizeof(p) / 2,
	    &p), CL_INVALID_VALUE);
	WANT(w, "a pointer and a half", clSetKernelExecInfo(k, name,
	    sizeof(p) + 4, &p), CL_INVALID_VALUE);
	WANT(w, "a pointer", clSetKernelExecInfo(k, name, sizeof(p), &p),
	    CL_SUCCESS);
	WANT(w, "no pointers", clSetKernelExecInfo(k, name, 0, NULL),
	    CL_SUCCESS);
	WANT(w, "unknown name", clSetKernelExecInfo(k, NO_SUCH_NAME,
	    sizeof(p), &p), CL_INVALID_VALUE);
	clSVMFree(w->context, p);
}

static void
system_memory(struct world *w, cl_kernel k)
{
	const cl_kernel_exec_info name =
	    CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
	const cl_bool yes = CL_TRUE, no = CL_FALSE;

	WANT(w, "nothing about the system's memory", clSetKernelExecInfo(k,
	    name, sizeof(yes), NULL), CL_INVALID_VALUE);
	WANT(w, "too little about the system's memory", clSetKernelExecInfo(k,
	    name, 1, &yes), CL_INVALID_VALUE);
	WANT(w, "too much about the system's memory", clSetKernelExecInfo(k,
	    name, 8, &yes), CL_INVALID_VALUE);
	WANT(w, "not the system's memory", clSetKernelExecInfo(k, name,
	    sizeof(no), &no), CL_SUCCESS);
	if (!(world_info(w, CL_DEVICE_SVM_CAPABILITIES) &
	    CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
		WANT(w, "the system's memory, which it can't",
		    clSetKernelExecInfo(k, name, sizeof(yes), &yes),
		    CL_INVALID_OPERATION);
}

void
check_clSetKernelExecInfo(struct world *w)
{
	cl_kernel k = world_kernel(w);
	const cl_bool no = CL_FALSE;
	void *p = w;

	if (older(w, 20))
		return;
	WANT_HANDLE(w, "kernel", cl_kernel, clSetKernelExecInfo(h,
	    CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof(no), &no),
	    CL_INVALID_KERNEL);
	if (world_info(w, CL_DEVICE_SVM_CAPABILITIES) == 0) {
		WANT(w, "no device has SVM", clSetKernelExecInfo(k,
		    CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(p), &p),
		    CL_INVALID_OPERATION);
		return;
	}
	pointers(w, k);
	system_memory(w, k);
}
