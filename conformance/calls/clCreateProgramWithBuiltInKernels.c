/* SPDX-License-Identifier: ISC */
#include <stdio.h>
#include <string.h>

#include "conformance/calls/calls.h"

static char names[4096];

static cl_program
make(struct world *w, const char *list)
{
	return clCreateProgramWithBuiltInKernels(w->context, 1, &w->device,
	    list, &w->err);
}

static void
right(struct world *w)
{
	cl_program p = NULL;
	cl_kernel k = NULL;
	char first[256] = "";

	snprintf(first, sizeof(first), "%.*s", (int)strcspn(names, ";"),
	    names);
	WANT_NEW(w, "a kernel that it has", p = make(w, first), CL_SUCCESS);
	if (p == NULL)
		return;
	/* Some vendors want a build, which the specification rules out. */
	WANT_NEW(w, "it without a build", k = clCreateKernel(p, first,
	    &w->err), CL_SUCCESS, CL_INVALID_PROGRAM_EXECUTABLE);
	if (k != NULL)
		clReleaseKernel(k);
	clReleaseProgram(p);
}

void
check_clCreateProgramWithBuiltInKernels(struct world *w)
{
	const char *none = "no.such.kernel";
	cl_device_id wrong = (cl_device_id)w->queue;
	char mixed[sizeof(names) + 32];

	if (older(w, 12))
		return;
	must(clGetDeviceInfo(w->device, CL_DEVICE_BUILT_IN_KERNELS,
	    sizeof(names), names, NULL), "CL_DEVICE_BUILT_IN_KERNELS");
	snprintf(mixed, sizeof(mixed), "%s;%s", names, none);
	WANT_HANDLE_NEW(w, "context", cl_context,
	    clCreateProgramWithBuiltInKernels(h, 1, &w->device, none,
	    &w->err), CL_INVALID_CONTEXT);
	WANT_NEW(w, "no devices", clCreateProgramWithBuiltInKernels(
	    w->context, 0, &w->device, none, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "devices nowhere", clCreateProgramWithBuiltInKernels(
	    w->context, 1, NULL, none, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "device of another kind",
	    clCreateProgramWithBuiltInKernels(w->context, 1, &wrong, none,
	    &w->err), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "device of no context",
		    clCreateProgramWithBuiltInKernels(w->context, 1,
		    &w->stranger, none, &w->err), CL_INVALID_DEVICE);
	WANT_NEW(w, "names nowhere", make(w, NULL), CL_INVALID_VALUE);
	WANT_NEW(w, "a kernel that it has not", make(w, none),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "the last one of which it has not", make(w, mixed),
	    CL_INVALID_VALUE);
	if (names[0] != '\0')
		right(w);
	else
		skip(w, "a kernel that it has", "it has none");
}
