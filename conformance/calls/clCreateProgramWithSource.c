/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static const char text[] = "kernel void f(void) {}\n";

static cl_program
make(struct world *w, cl_uint n, const char **strings, const size_t *lengths)
{
	return clCreateProgramWithSource(w->context, n, strings, lengths,
	    &w->err);
}

/* Three strings, by length, by their NUL, and one that is not used up. */
static void
joined(struct world *w)
{
	const char *strings[] = { "kernel void f", "(void)", " {} // no" };
	const size_t lengths[] = { 0, 6, 3 };
	const char all[] = "kernel void f(void) {}";
	cl_program p = NULL;
	char got[64] = "";
	size_t n = 0;

	WANT_NEW(w, "some strings with lengths", p = make(w, 3, strings,
	    lengths), CL_SUCCESS);
	if (p == NULL)
		return;
	must(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof(got), got, &n),
	    "CL_PROGRAM_SOURCE");
	IS(w, "they are one source", n == sizeof(all) &&
	    strcmp(got, all) == 0);
	clReleaseProgram(p);
}

void
check_clCreateProgramWithSource(struct world *w)
{
	const char *one = text, *two[] = { text, NULL };
	const char *none = NULL;
	const size_t length = 3;
	cl_program p = NULL;

	WANT_HANDLE_NEW(w, "context", cl_context, clCreateProgramWithSource(h,
	    1, &one, NULL, &w->err), CL_INVALID_CONTEXT);
	WANT_NEW(w, "no strings", make(w, 0, &one, NULL), CL_INVALID_VALUE);
	WANT_NEW(w, "strings nowhere", make(w, 1, NULL, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a string nowhere", make(w, 1, &none, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a string nowhere, with a length", make(w, 1, &none,
	    &length), CL_INVALID_VALUE);
	WANT_NEW(w, "second string nowhere", make(w, 2, two, NULL),
	    CL_INVALID_VALUE);
	joined(w);
	IS(w, "without errcode_ret", (p = clCreateProgramWithSource(
	    w->context, 1, &one, NULL, NULL)) != NULL);
	if (p != NULL)
		clReleaseProgram(p);
	IS(w, "without errcode_ret, failing", clCreateProgramWithSource(
	    w->context, 0, &one, NULL, NULL) == NULL);
}
