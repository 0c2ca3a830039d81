/* SPDX-License-Identifier: ISC */
#include "conformance/contents.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM (1 << 20)

static uint8_t *mine;

static const struct kind {
	const char *name;
	cl_image_desc desc;
	size_t extent[3];
	int dims;
} kinds[] = {
	{ "1D image", { .image_type = CL_MEM_OBJECT_IMAGE1D,
	    .image_width = 61 }, { 61, 1, 1 }, 1 },
	{ "1D image array", { .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
	    .image_width = 33, .image_array_size = 7 }, { 33, 7, 1 }, 2 },
	{ "2D image", { .image_type = CL_MEM_OBJECT_IMAGE2D,
	    .image_width = 130, .image_height = 90 }, { 130, 90, 1 }, 2 },
	{ "2D image array", { .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
	    .image_width = 23, .image_height = 19, .image_array_size = 5 },
	    { 23, 19, 5 }, 3 },
	{ "3D image", { .image_type = CL_MEM_OBJECT_IMAGE3D,
	    .image_width = 21, .image_height = 17, .image_depth = 9 },
	    { 21, 17, 9 }, 3 },
};

static const cl_image_format formats[] = {
	{ CL_RGBA, CL_UNORM_INT8 }, { CL_RGBA, CL_FLOAT },
	{ CL_R, CL_UNSIGNED_INT16 }, { CL_RG, CL_SIGNED_INT32 },
};

/* Does the device have the format, for this kind of image? */
static bool
has_format(const struct kind *k, const cl_image_format *f)
{
	cl_image_format list[256];
	cl_uint n, i;

	must(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE,
	    k->desc.image_type, 256, list, &n), "clGetSupportedImageFormats");
	for (i = 0; i < n && i < 256; i++)
		if (memcmp(&list[i], f, sizeof(*f)) == 0)
			return true;
	return false;
}

static void
pick_region(const struct kind *k, size_t at[3], size_t n[3])
{
	int i;

	for (i = 0; i < 3; i++) {
		at[i] = pick(k->extent[i]);
		n[i] = pick(k->extent[i] - at[i]) + 1;
	}
}

static void
show(const struct kind *k, cl_mem image)
{
	const size_t none[3] = { 0, 0, 0 };

	memset(mine, 0, ROOM);
	must(clEnqueueReadImage(queue, image, CL_TRUE, none, k->extent, 0, 0,
	    mine, 0, NULL, NULL), "clEnqueueReadImage");
	line(k->name, mine, ROOM);
}

static void
move(const struct kind *k, cl_mem image, size_t element)
{
	size_t at[3], n[3], row, slice;

	pick_region(k, at, n);
	row = (n[0] + pick(3)) * element;
	slice = k->dims == 3 ? row * (n[1] + pick(3)) : 0;
	scribble(mine, ROOM);
	must(clEnqueueWriteImage(queue, image, CL_TRUE, at, n, row, slice,
	    mine, 0, NULL, NULL), "clEnqueueWriteImage");
	show(k, image);
	pick_region(k, at, n);
	row = (n[0] + pick(3)) * element;
	slice = k->dims == 3 ? row * (n[1] + pick(3)) : 0;
	memset(mine, 0, ROOM);
	must(clEnqueueReadImage(queue, image, CL_TRUE, at, n, row, slice, mine,
	    0, NULL, NULL), "clEnqueueReadImage");
	line("a part of it", mine, ROOM);
}

static void
fill(const struct kind *k, cl_mem image)
{
	const cl_uint color[4] = { 0, 0, 0, 0 };
	size_t at[3], n[3];

	pick_region(k, at, n);
	must(clEnqueueFillImage(queue, image, color, at, n, 0, NULL, NULL),
	    "clEnqueueFillImage");
	show(k, image);
}

/* Through a map, whose rows are as far apart as the call says. */
static void
map(const struct kind *k, cl_mem image, size_t element)
{
	size_t at[3], n[3], row, slice = 0, y, z, used = 0;
	cl_int e;
	uint8_t *p, *from;

	pick_region(k, at, n);
	p = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, at, n, &row, &slice, 0, NULL, NULL, &e);
	must(e, "clEnqueueMapImage");
	for (z = 0; z < n[2]; z++)
		for (y = 0; y < n[1]; y++) {
			from = p + z * slice + y * row;
			memcpy(mine + used, from, n[0] * element);
			used += n[0] * element;
			scribble(from, n[0] * element);
		}
	line("a mapped part", mine, used);
	must(clEnqueueUnmapMemObject(queue, image, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	show(k, image);
}

static void
copy(const struct kind *k, cl_mem from, cl_mem to, size_t element)
{
	size_t at[3], n[3];
	cl_int e;
	cl_mem b = clCreateBuffer(context, 0, ROOM, NULL, &e);

	must(e, "clCreateBuffer");
	pick_region(k, at, n);
	must(clEnqueueCopyImage(queue, from, to, at, at, n, 0, NULL, NULL),
	    "clEnqueueCopyImage");
	pick_region(k, at, n);
	must(clEnqueueCopyImageToBuffer(queue, from, b, at, n, 4 * element, 0,
	    NULL, NULL), "clEnqueueCopyImageToBuffer");
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 4 * element,
	    n[0] * n[1] * n[2] * element, mine, 0, NULL, NULL),
	    "clEnqueueReadBuffer");
	line("a part in a buffer", mine, n[0] * n[1] * n[2] * element);
	must(clEnqueueCopyBufferToImage(queue, b, to, 4 * element, at, n, 0,
	    NULL, NULL), "clEnqueueCopyBufferToImage");
	show(k, to);
	must(clReleaseMemObject(b), "clReleaseMemObject");
}

static cl_mem
make(const struct kind *k, const cl_image_format *f, cl_mem_flags flags,
    void *host)
{
	cl_int e;
	cl_mem m = clCreateImage(context, flags, f, &k->desc, host, &e);

	must(e, "clCreateImage");
	return m;
}

static void
of_kind(const struct kind *k, const cl_image_format *f)
{
	uint8_t *host = get(ROOM);
	cl_mem m, other;
	size_t element;
	int i;

	scribble(host, ROOM);
	m = make(k, f, CL_MEM_COPY_HOST_PTR, host);
	other = make(k, f, CL_MEM_USE_HOST_PTR, host);
	must(clGetImageInfo(m, CL_IMAGE_ELEMENT_SIZE, sizeof(element),
	    &element, NULL), "CL_IMAGE_ELEMENT_SIZE");
	show(k, m);
	for (i = 0; i < 3; i++) {
		move(k, m, element);
		fill(k, m);
		map(k, m, element);
		map(k, other, element);
		copy(k, m, other, element);
	}
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clReleaseMemObject(other), "clReleaseMemObject");
	must(clFinish(queue), "clFinish");
	free(host);
}

/* An image in a buffer is the buffer's bytes. */
static void
in_buffer(void)
{
	const cl_image_format f = { CL_RGBA, CL_UNSIGNED_INT8 };
	const size_t none[3] = { 0, 0, 0 }, n[3] = { 50, 1, 1 };
	cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
		.image_width = 60 };
	cl_int e;
	cl_mem image;

	scribble(mine, 4096);
	d.mem_object = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4096,
	    mine, &e);
	must(e, "clCreateBuffer");
	image = clCreateImage(context, 0, &f, &d, NULL, &e);
	must(e, "clCreateImage");
	scribble(mine, 200);
	must(clEnqueueWriteImage(queue, image, CL_TRUE, none, n, 0, 0, mine, 0,
	    NULL, NULL), "clEnqueueWriteImage");
	must(clEnqueueReadBuffer(queue, d.mem_object, CL_TRUE, 0, 4096, mine,
	    0, NULL, NULL), "clEnqueueReadBuffer");
	line("a buffer with an image in it", mine, 4096);
	must(clReleaseMemObject(image), "clReleaseMemObject");
	must(clReleaseMemObject(d.mem_object), "clReleaseMemObject");
}

void
contents_of_images(void)
{
	size_t i, j;
	cl_bool has;

	must(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has),
	    &has, NULL), "CL_DEVICE_IMAGE_SUPPORT");
	if (!has) {
		printf("no images\n");
		return;
	}
	mine = get(ROOM);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		for (j = 0; j < sizeof(formats) / sizeof(formats[0]); j++)
			if (has_format(&kinds[i], &formats[j]))
				of_kind(&kinds[i], &formats[j]);
	in_buffer();
	free(mine);
}
