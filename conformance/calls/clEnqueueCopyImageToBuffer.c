/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/images.h"

#include <stdint.h>

static const size_t zero[3] = { 0, 0, 0 }, part[3] = { 4, 4, 1 };

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueCopyImageToBuffer(q, world_image(w), w->buffer, zero,
	    part, 16, n, list, event);
}

static cl_int
region(struct world *w, cl_mem m, const size_t *origin, const size_t *n,
    cl_event *event)
{
	return clEnqueueCopyImageToBuffer(w->queue, m, w->buffer, origin, n, 0,
	    0, NULL, event);
}

static cl_int
to(struct world *w, cl_mem m, size_t offset, cl_event *event)
{
	return clEnqueueCopyImageToBuffer(w->queue, world_image(w), m, zero,
	    part, offset, 0, NULL, event);
}

static void
own_buffer(struct world *w)
{
	const size_t line[3] = { 4, 1, 1 };
	cl_image_desc d = image_desc(&image_kinds[2]);
	cl_mem m;

	d.mem_object = w->buffer;
	m = clCreateImage(w->context, 0, &image_format, &d, NULL, &w->err);
	must(w->err, "clCreateImage");
	WANT_EVENT(w, "into the buffer that the image lies in",
	    clEnqueueCopyImageToBuffer(w->queue, m, w->buffer, zero, line,
	    1024, 0, NULL, &w->done), CL_INVALID_MEM_OBJECT);
	clReleaseMemObject(m);
}

void
check_clEnqueueCopyImageToBuffer(struct world *w)
{
	if (older(w, 12) || no_images(w))
		return;
	region_cases(w, "", region, true);
	WANT_HANDLE_EVENT(w, "buffer", cl_mem, to(w, h, 0, &w->done),
	    CL_INVALID_MEM_OBJECT);
	WANT_EVENT(w, "buffer is an image", to(w, world_image(w), 0,
	    &w->done), CL_INVALID_MEM_OBJECT);
	WANT_EVENT(w, "buffer of another context", to(w, w->other_buffer, 0,
	    &w->done), CL_INVALID_CONTEXT);
	own_buffer(w);
	WANT_EVENT(w, "partly beyond the end of the buffer", to(w, w->buffer,
	    WORLD_SIZE - 63, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "beyond the end of the buffer", to(w, w->buffer,
	    WORLD_SIZE, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "end in the buffer that overflows", to(w, w->buffer,
	    SIZE_MAX - 16, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "the last bytes of the buffer", to(w, w->buffer,
	    WORLD_SIZE - 64, &w->done), CL_SUCCESS);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_COPY_IMAGE_TO_BUFFER });
}
