/* SPDX-License-Identifier: ISC */
#include <stdlib.h>
#include <string.h>

#include "conformance/calls/calls.h"

typedef unsigned char byte;

static struct {
	byte *p;
	size_t n;
} binary;

static void
get_binary(struct world *w)
{
	cl_program p = world_program(w);

	must(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(binary.n),
	    &binary.n, NULL), "CL_PROGRAM_BINARY_SIZES");
	binary.p = malloc(binary.n + 1);
	must(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(binary.p),
	    &binary.p, NULL), "CL_PROGRAM_BINARIES");
}

static cl_program
make(struct world *w, const byte *p, size_t n, cl_int *status)
{
	return clCreateProgramWithBinary(w->context, 1, &w->device, &n, &p,
	    status, &w->err);
}

static void
devices(struct world *w)
{
	const byte *p = binary.p;
	cl_device_id none = NULL, wrong = (cl_device_id)w->queue;

	WANT_HANDLE_NEW(w, "context", cl_context, clCreateProgramWithBinary(h,
	    1, &w->device, &binary.n, &p, NULL, &w->err),
	    CL_INVALID_CONTEXT);
	WANT_NEW(w, "no devices", clCreateProgramWithBinary(w->context, 0,
	    &w->device, &binary.n, &p, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "devices nowhere", clCreateProgramWithBinary(w->context,
	    1, NULL, &binary.n, &p, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "no device", clCreateProgramWithBinary(w->context, 1,
	    &none, &binary.n, &p, NULL, &w->err), CL_INVALID_DEVICE);
	WANT_NEW(w, "device of another kind", clCreateProgramWithBinary(
	    w->context, 1, &wrong, &binary.n, &p, NULL, &w->err),
	    CL_INVALID_DEVICE);
	if (w->stranger == NULL)
		skip(w, "device of no context", "there is no such device");
	else
		WANT_NEW(w, "device of no context", clCreateProgramWithBinary(
		    w->context, 1, &w->stranger, &binary.n, &p, NULL,
		    &w->err), CL_INVALID_DEVICE);
}

static void
values(struct world *w)
{
	const byte *p = binary.p;
	cl_int status = 77;

	WANT_NEW(w, "lengths nowhere", clCreateProgramWithBinary(w->context,
	    1, &w->device, NULL, &p, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "binaries nowhere", clCreateProgramWithBinary(w->context,
	    1, &w->device, &binary.n, NULL, NULL, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a binary of no bytes", make(w, binary.p, 0, &status),
	    CL_INVALID_VALUE);
	IS(w, "its status", status == CL_INVALID_VALUE || status == 77);
	status = 77;
	WANT_NEW(w, "a binary nowhere", make(w, NULL, 64, &status),
	    CL_INVALID_VALUE);
	IS(w, "its status", status == CL_INVALID_VALUE || status == 77);
}

static void
alien(struct world *w)
{
	const byte noise[256] = "no binary of anybody's";
	byte *copy = malloc(binary.n);
	cl_int status = 77;

	must(copy == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS, "malloc");
	WANT_NEW(w, "noise", make(w, noise, sizeof(noise), &status),
	    CL_INVALID_BINARY);
	IS(w, "its status", status == CL_INVALID_BINARY);
	WANT_NEW(w, "noise, its status not asked for", make(w, noise,
	    sizeof(noise), NULL), CL_INVALID_BINARY);
	memcpy(copy, binary.p, binary.n);
	memset(copy, 0xa5, binary.n < 64 ? binary.n : 64);
	WANT_NEW(w, "a binary with another head", make(w, copy, binary.n,
	    NULL), CL_INVALID_BINARY);
	free(copy);
}

static void
right(struct world *w)
{
	cl_program p = NULL;
	cl_kernel k = NULL;
	cl_int status = 77;

	WANT_NEW(w, "a binary", p = make(w, binary.p, binary.n, &status),
	    CL_SUCCESS);
	IS(w, "its status", status == CL_SUCCESS);
	if (p == NULL)
		return;
	WANT(w, "it builds", clBuildProgram(p, 1, &w->device, "", NULL, NULL),
	    CL_SUCCESS);
	WANT_NEW(w, "it has its kernel", k = clCreateKernel(p, "add",
	    &w->err), CL_SUCCESS);
	if (k != NULL)
		clReleaseKernel(k);
	clReleaseProgram(p);
}

void
check_clCreateProgramWithBinary(struct world *w)
{
	get_binary(w);
	devices(w);
	values(w);
	alien(w);
	right(w);
	free(binary.p);
}
