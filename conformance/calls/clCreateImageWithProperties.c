/* SPDX-License-Identifier: ISC */
#include <stdint.h>
#include <string.h>

#include "conformance/calls/images.h"

/*
 * Properties, and images that lie in other objects, which clCreateImage makes
 * as well.
 */
static cl_mem
make(struct world *w, const cl_mem_properties *list, cl_mem_flags flags,
    const cl_image_format *f, const cl_image_desc *d, void *host)
{
	if (list == NULL && w->version < 30)
		return clCreateImage(w->context, flags, f, d, host, &w->err);
	return clCreateImageWithProperties(w->context, list, flags, f, d,
	    host, &w->err);
}

static cl_mem
in(struct world *w, cl_mem_flags flags, const cl_image_desc *d)
{
	return make(w, NULL, flags, &image_format, d, NULL);
}

/* ---- properties -------------------------------------------------------- */

static void
told(struct world *w, const cl_image_desc *d, const cl_mem_properties *list,
    size_t size)
{
	cl_mem_properties got[4];
	size_t n = 77;
	cl_mem m = make(w, list, 0, &image_format, d, NULL);

	must(w->err, "clCreateImageWithProperties");
	memset(got, 255, sizeof(got));
	WANT(w, list != NULL ? "query of an empty list" : "query of no list",
	    clGetMemObjectInfo(m, CL_MEM_PROPERTIES, sizeof(got), got, &n),
	    CL_SUCCESS);
	IS(w, "the list as it was given",
	    n == size && (list == NULL || got[0] == 0));
	clReleaseMemObject(m);
}

static void
properties(struct world *w)
{
	const cl_image_desc d = image_desc(&image_kinds[0]);
	const cl_mem_properties empty[] = { 0 };
	const cl_mem_properties unknown[] = { NO_SUCH_NAME, 1, 0 };

	if (older(w, 30))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreateImageWithProperties(
	    h, NULL, 0, &image_format, &d, NULL, &w->err),
	    CL_INVALID_CONTEXT);
	WANT_NEW(w, "unknown property", make(w, unknown, 0, &image_format, &d,
	    NULL), CL_INVALID_PROPERTY);
	WANT_NEW(w, "no format", make(w, empty, 0, NULL, &d, NULL),
	    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WANT_NEW(w, "no descriptor", make(w, empty, 0, &image_format, NULL,
	    NULL), CL_INVALID_IMAGE_DESCRIPTOR);
	WANT_NEW(w, "unknown flags", make(w, empty, NO_SUCH_BIT,
	    &image_format, &d, NULL), CL_INVALID_VALUE);
	WANT_NEW(w, "empty list", make(w, empty, 0, &image_format, &d, NULL),
	    CL_SUCCESS);
	told(w, &d, NULL, 0);
	told(w, &d, empty, sizeof(empty));
}

/* ---- 1D images in buffers ---------------------------------------------- */

static void
lines(struct world *w)
{
	cl_image_desc d = image_desc(&image_kinds[2]);
	char host[64];

	WANT_NEW(w, "1D image buffer without a buffer", in(w, 0, &d),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	d.mem_object = (cl_mem)world_other(w, "cl_mem");
	WANT_NEW(w, "1D image in what is no memory", in(w, 0, &d),
	    CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_MEM_OBJECT);
	d.mem_object = world_image(w);
	WANT_NEW(w, "1D image buffer in an image", in(w, 0, &d),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	d.mem_object = w->other_buffer;
	WANT_NEW(w, "1D image in a buffer of another context", in(w, 0, &d),
	    CL_INVALID_CONTEXT, CL_INVALID_IMAGE_DESCRIPTOR);
	d.mem_object = w->buffer;
	WANT_NEW(w, "1D image in a buffer, with a host pointer", make(w, NULL,
	    CL_MEM_COPY_HOST_PTR, &image_format, &d, host), CL_INVALID_VALUE,
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "1D image in a buffer, with a needless host pointer",
	    make(w, NULL, 0, &image_format, &d, host), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "1D image in a buffer, one to be allocated", in(w,
	    CL_MEM_ALLOC_HOST_PTR, &d), CL_INVALID_VALUE);
	d.image_width = WORLD_SIZE / 4 + 1;
	WANT_NEW(w, "1D image larger than its buffer", in(w, 0, &d),
	    CL_INVALID_IMAGE_SIZE, CL_INVALID_IMAGE_DESCRIPTOR);
	d.image_width = WORLD_SIZE / 4;
	WANT_NEW(w, "1D image as large as its buffer", in(w, 0, &d),
	    CL_SUCCESS);
	d = image_desc(&image_kinds[1]);
	d.mem_object = w->buffer;
	WANT_NEW(w, "1D image in a buffer that it does not take", in(w, 0,
	    &d), CL_INVALID_IMAGE_DESCRIPTOR);
}

static const struct {
	const char *what;
	cl_mem_flags parent, flags;
} widening[] = {
	{ "read-write in write only", CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE },
	{ "read only in write only", CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY },
	{ "read-write in read only", CL_MEM_READ_ONLY, CL_MEM_READ_WRITE },
	{ "write only in read only", CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY },
	{ "host read only in host write only", CL_MEM_HOST_WRITE_ONLY,
	    CL_MEM_HOST_READ_ONLY },
	{ "host write only in host read only", CL_MEM_HOST_READ_ONLY,
	    CL_MEM_HOST_WRITE_ONLY },
	{ "host read only in no access", CL_MEM_HOST_NO_ACCESS,
	    CL_MEM_HOST_READ_ONLY },
	{ "host write only in no access", CL_MEM_HOST_NO_ACCESS,
	    CL_MEM_HOST_WRITE_ONLY },
};

static void
widen(struct world *w)
{
	cl_image_desc d = image_desc(&image_kinds[2]);
	size_t i;

	for (i = 0; i < sizeof(widening) / sizeof(widening[0]); i++) {
		d.mem_object = world_buffer(w, widening[i].parent, WORLD_SIZE);
		WANT_NEW(w, widening[i].what, in(w, widening[i].flags, &d),
		    CL_INVALID_VALUE);
		clReleaseMemObject(d.mem_object);
	}
}

/* ---- 2D images in buffers and images ----------------------------------- */

/* A buffer over memory that begins one element after any alignment. */
static void
at_a_host_pointer(struct world *w, cl_image_desc *d, size_t base)
{
	static _Alignas(4096) char host[64 * WORLD_SIZE];
	cl_int e;

	d->mem_object = clCreateBuffer(w->context, CL_MEM_USE_HOST_PTR,
	    sizeof(host) - 4096, host + 4, &e);
	must(e, "clCreateBuffer");
	if (base > 1)
		WANT_NEW(w, "2D image in a buffer that is not aligned",
		    in(w, 0, d), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	clReleaseMemObject(d->mem_object);
}

static void
planes(struct world *w)
{
	const size_t pitch =
	    (size_t)world_info(w, CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
	const size_t base =
	    (size_t)world_info(w, CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);
	cl_image_desc d = image_desc(&image_kinds[0]);

	if (w->version < 20 || pitch == 0) {
		skip(w, "2D images in buffers", "the device has none");
		return;
	}
	d.image_row_pitch = pitch * 4 * d.image_width;
	d.mem_object = world_buffer(w, 0, d.image_row_pitch * d.image_height);
	WANT_NEW(w, "2D image in a buffer", in(w, 0, &d), CL_SUCCESS);
	d.image_row_pitch += 4;
	if (pitch > 1)
		WANT_NEW(w, "2D image with rows that are not aligned",
		    in(w, 0, &d), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	d.image_row_pitch += pitch * 4 - 4;
	WANT_NEW(w, "2D image larger than its buffer", in(w, 0, &d),
	    CL_INVALID_IMAGE_SIZE, CL_INVALID_IMAGE_DESCRIPTOR);
	d.image_row_pitch = 4 * pitch;
	d.image_width = pitch + 1;
	WANT_NEW(w, "2D image with rows too short", in(w, 0, &d),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	clReleaseMemObject(d.mem_object);
	d = image_desc(&image_kinds[0]);
	d.image_row_pitch = pitch * 4 * d.image_width;
	at_a_host_pointer(w, &d, base);
}

void
check_clCreateImageWithProperties(struct world *w)
{
	if (older(w, 12) || no_images(w))
		return;
	lines(w);
	widen(w);
	planes(w);
	properties(w);
}
