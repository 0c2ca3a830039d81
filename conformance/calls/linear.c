/* SPDX-License-Identifier: ISC */
#include "conformance/calls/linear.h"

#include <stdint.h>
#include <stdio.h>

#include "conformance/calls/images.h"

static const struct {
	const char *what;
	size_t offset, size;
} outside[] = {
	{ "longer than the buffer", 0, WORLD_SIZE + 1 },
	{ "one byte beyond the end", WORLD_SIZE, 1 },
	{ "partly beyond the end", WORLD_SIZE - 8, 16 },
	{ "far beyond the end", SIZE_MAX / 2, 16 },
	{ "end that overflows", 16, SIZE_MAX - 8 },
	{ "offset that overflows", SIZE_MAX - 7, 16 },
};

void
linear_cases(struct world *w, linear_function *run)
{
	size_t i;

	WANT_HANDLE_EVENT(w, "buffer", cl_mem, run(w, h, 0, 16, &w->done),
	    CL_INVALID_MEM_OBJECT);
	if (world_image(w) != NULL)
		WANT_EVENT(w, "an image",
		    run(w, world_image(w), 0, 16, &w->done),
		    CL_INVALID_MEM_OBJECT);
	WANT_EVENT(w, "buffer of another context",
	    run(w, w->other_buffer, 0, 16, &w->done), CL_INVALID_CONTEXT);
	for (i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		WANT_EVENT(w, outside[i].what, run(w, w->buffer,
		    outside[i].offset, outside[i].size, &w->done),
		    CL_INVALID_VALUE);
	WANT_EVENT(w, "all of it",
	    run(w, w->buffer, 0, WORLD_SIZE, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "its last byte",
	    run(w, w->buffer, WORLD_SIZE - 1, 1, &w->done), CL_SUCCESS);
}

static void
access_case(struct world *w, bool image, access_function *run,
    cl_mem_flags flags, const char *what, bool may)
{
	cl_mem m = image ? image_of_kind(w, &image_kinds[0], flags, NULL) :
	    world_buffer(w, flags, WORLD_SIZE);
	const cl_buffer_region r = { 0, 1024 };
	cl_mem sub;
	char text[64];
	cl_int e;

	WANT(w, what, run(w, m), may ? CL_SUCCESS : CL_INVALID_OPERATION);
	if (!image) {
		sub = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION,
		    &r, &e);
		must(e, "clCreateSubBuffer");
		snprintf(text, sizeof(text), "part of %s", what);
		WANT(w, text, run(w, sub), may ? CL_SUCCESS :
		    CL_INVALID_OPERATION);
		clReleaseMemObject(sub);
	}
	clReleaseMemObject(m);
}

void
access_cases(struct world *w, bool image, access_function *run, bool reads,
    bool writes)
{
	access_case(w, image, run, CL_MEM_HOST_READ_ONLY, "host read only",
	    !writes);
	access_case(w, image, run, CL_MEM_HOST_WRITE_ONLY, "host write only",
	    !reads);
	access_case(w, image, run, CL_MEM_HOST_NO_ACCESS, "host no access",
	    !reads && !writes);
}
