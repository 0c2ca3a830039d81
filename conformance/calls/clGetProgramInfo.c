/* SPDX-License-Identifier: ISC */
#include <stdlib.h>
#include <string.h>

#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetProgramInfo(object, param, size, value, size_ret);
}

static void
query(struct world *w, cl_program p, cl_program_info param, size_t size)
{
	query_cases(w, &(struct query){ .ask = ask, .object = p,
	    .type = "cl_program", .no_object = CL_INVALID_PROGRAM,
	    .param = param, .size = size });
}

static void
unbuilt(struct world *w)
{
	cl_program p = world_source(w, w->context, "kernel void f(void) {}");
	size_t n = 77;
	cl_bool b = 77;

	WANT(w, "number of kernels of none built", clGetProgramInfo(p,
	    CL_PROGRAM_NUM_KERNELS, sizeof(n), &n, NULL),
	    CL_INVALID_PROGRAM_EXECUTABLE);
	WANT(w, "names of kernels of none built", clGetProgramInfo(p,
	    CL_PROGRAM_KERNEL_NAMES, 0, NULL, &n),
	    CL_INVALID_PROGRAM_EXECUTABLE);
	IS(w, "nothing was written", n == 77);
	WANT(w, "sizes of binaries of none built", clGetProgramInfo(p,
	    CL_PROGRAM_BINARY_SIZES, sizeof(n), &n, NULL), CL_SUCCESS);
	IS(w, "they have no bytes", n == 0);
	if (w->version >= 22) {
		WANT(w, "constructors of none built", clGetProgramInfo(p,
		    CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof(b), &b,
		    NULL), CL_INVALID_PROGRAM_EXECUTABLE);
		WANT(w, "destructors of none built", clGetProgramInfo(p,
		    CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, sizeof(b), &b,
		    NULL), CL_INVALID_PROGRAM_EXECUTABLE);
	}
	if (w->version >= 21) {
		WANT(w, "IL of source", clGetProgramInfo(p, CL_PROGRAM_IL, 0,
		    NULL, &n), CL_SUCCESS);
		IS(w, "it has none", n == 0);
	}
	clReleaseProgram(p);
}

static void
binaries(struct world *w, cl_program p)
{
	unsigned char *room = NULL, *none = NULL;
	size_t n = 0, need = 0;

	WANT(w, "size of the binary", clGetProgramInfo(p,
	    CL_PROGRAM_BINARY_SIZES, sizeof(n), &n, NULL), CL_SUCCESS);
	IS(w, "it has bytes", n > 0);
	WANT(w, "size of the list of binaries", clGetProgramInfo(p,
	    CL_PROGRAM_BINARIES, 0, NULL, &need), CL_SUCCESS);
	IS(w, "it is that of a pointer", need == sizeof(room));
	need = 77;
	WANT(w, "the list of binaries with too little room",
	    clGetProgramInfo(p, CL_PROGRAM_BINARIES, 1, &room, &need),
	    CL_INVALID_VALUE);
	IS(w, "nothing was written", need == 77);
	WANT(w, "no binary of those there are", clGetProgramInfo(p,
	    CL_PROGRAM_BINARIES, sizeof(none), &none, NULL), CL_SUCCESS);
	room = calloc(n + 16, 1);
	must(room == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS, "calloc");
	WANT(w, "the binary", clGetProgramInfo(p, CL_PROGRAM_BINARIES,
	    sizeof(room), &room, &need), CL_SUCCESS);
	IS(w, "what is behind it is left", room[n] == 0 && room[n + 15] == 0);
	free(room);
}

void
check_clGetProgramInfo(struct world *w)
{
	cl_program p = world_program(w);
	cl_device_id d = NULL;
	cl_context c = NULL;
	char names[64] = "";
	size_t n = 0;

	query(w, p, CL_PROGRAM_CONTEXT, sizeof(cl_context));
	query(w, p, CL_PROGRAM_DEVICES, sizeof(cl_device_id));
	query(w, p, CL_PROGRAM_KERNEL_NAMES, sizeof("add"));
	WANT(w, "devices", clGetProgramInfo(p, CL_PROGRAM_DEVICES, sizeof(d),
	    &d, NULL), CL_SUCCESS);
	IS(w, "devices are the context's", d == w->device);
	must(clGetProgramInfo(p, CL_PROGRAM_CONTEXT, sizeof(c), &c, NULL),
	    "CL_PROGRAM_CONTEXT");
	IS(w, "its context", c == w->context);
	WANT(w, "number of kernels", clGetProgramInfo(p,
	    CL_PROGRAM_NUM_KERNELS, sizeof(n), &n, NULL), CL_SUCCESS);
	IS(w, "there is one", n == 1);
	WANT(w, "names of kernels", clGetProgramInfo(p,
	    CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL), CL_SUCCESS);
	IS(w, "the name is right", strcmp(names, "add") == 0);
	unbuilt(w);
	binaries(w, p);
}
