/* SPDX-License-Identifier: ISC */
/*
 * Every kind of image in every format that the device has, once through each
 * command, all of them small.
 */
#include "conformance/contents.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 65536
#define FORMATS 512

static uint8_t *mine;
static bool is_pocl;

static const struct kind {
	const char *name;
	cl_mem_object_type type;
	size_t extent[3];
	int dims;
} kinds[] = {
	{ "1D image", CL_MEM_OBJECT_IMAGE1D, { 13, 1, 1 }, 1 },
	{ "1D image buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, { 11, 1, 1 }, 1 },
	{ "1D image array", CL_MEM_OBJECT_IMAGE1D_ARRAY, { 9, 4, 1 }, 2 },
	{ "2D image", CL_MEM_OBJECT_IMAGE2D, { 10, 7, 1 }, 2 },
	{ "2D image array", CL_MEM_OBJECT_IMAGE2D_ARRAY, { 7, 5, 3 }, 3 },
	{ "3D image", CL_MEM_OBJECT_IMAGE3D, { 6, 5, 4 }, 3 },
};

/* One image and all that says where its elements are. */
struct subject {
	const struct kind *kind;
	cl_image_format format;
	char name[64];
	cl_mem image, twin;
	size_t element;
};

static void
tell(const struct subject *s, const char *what, size_t n)
{
	char text[128];

	snprintf(text, sizeof(text), "%s %s", s->name, what);
	line(text, mine, n);
}

/* ---- making them ------------------------------------------------------- */

static cl_mem
make(const struct kind *k, const cl_image_format *f)
{
	cl_image_desc d = { .image_type = k->type,
		.image_width = k->extent[0] };
	cl_int e;
	cl_mem m;

	if (k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		d.image_array_size = k->extent[1];
	else if (k->dims > 1)
		d.image_height = k->extent[1];
	if (k->type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
		d.image_array_size = k->extent[2];
	else if (k->dims > 2)
		d.image_depth = k->extent[2];
	if (k->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
		d.mem_object = clCreateBuffer(context, 0, 4096, NULL, &e);
		must(e, "clCreateBuffer");
	}
	m = clCreateImage(context, 0, f, &d, NULL, &e);
	must(e, "clCreateImage");
	if (d.mem_object != NULL)
		must(clReleaseMemObject(d.mem_object), "clReleaseMemObject");
	return m;
}

/* ---- what is done to them ---------------------------------------------- */

static void
show(const struct subject *s, cl_mem m, const char *what)
{
	const size_t zero[3] = { 0, 0, 0 };
	const size_t *n = s->kind->extent;

	memset(mine, 0, ROOM);
	must(clEnqueueReadImage(queue, m, CL_TRUE, zero, n, 0, 0, mine, 0,
	    NULL, NULL), "clEnqueueReadImage");
	tell(s, what, n[0] * n[1] * n[2] * s->element);
}

/*
 * All of it, from rows and slices that are longer than they need to be; where
 * an array's slices are rows, vendors do not agree on which pitch counts.
 */
static void
write_all(const struct subject *s, cl_mem m)
{
	const size_t zero[3] = { 0, 0, 0 };
	const size_t *n = s->kind->extent;
	size_t row = (n[0] + 2) * s->element, slice = 0;

	if (s->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		slice = row;
	else if (s->kind->dims == 3)
		slice = row * (n[1] + 1);
	scribble(mine, ROOM);
	must(clEnqueueWriteImage(queue, m, CL_TRUE, zero, n, row, slice, mine,
	    0, NULL, NULL), "clEnqueueWriteImage");
}

static void
fill(const struct subject *s)
{
	static const cl_float real[4] = { 0.25f, 0.5f, 0.75f, 1.0f };
	static const cl_int number[4] = { 1, -2, 3, -4 };
	const cl_channel_type t = s->format.image_channel_data_type;
	const size_t at[3] = { 1, 0, 0 };
	size_t n[3] = { s->kind->extent[0] - 2, s->kind->extent[1],
		s->kind->extent[2] };

	must(clEnqueueFillImage(queue, s->image,
	    t >= CL_SIGNED_INT8 && t <= CL_UNSIGNED_INT32 ?
	    (const void *)number : real, at, n, 0, NULL, NULL),
	    "clEnqueueFillImage");
	show(s, s->image, "filled");
}

static void
copies(const struct subject *s)
{
	const size_t zero[3] = { 0, 0, 0 }, at[3] = { 1, 0, 0 };
	const size_t n[3] = { s->kind->extent[0] - 1, s->kind->extent[1],
		s->kind->extent[2] };
	const size_t bytes = n[0] * n[1] * n[2] * s->element;
	cl_int e;
	cl_mem b = clCreateBuffer(context, 0, ROOM, NULL, &e);

	must(e, "clCreateBuffer");
	must(clEnqueueCopyImage(queue, s->image, s->twin, zero, at, n, 0, NULL,
	    NULL), "clEnqueueCopyImage");
	show(s, s->twin, "copied");
	must(clEnqueueCopyImageToBuffer(queue, s->image, b, at, n,
	    3 * s->element, 0, NULL, NULL), "clEnqueueCopyImageToBuffer");
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 3 * s->element, bytes,
	    mine, 0, NULL, NULL), "clEnqueueReadBuffer");
	tell(s, "in a buffer", bytes);
	must(clEnqueueCopyBufferToImage(queue, b, s->twin, 3 * s->element,
	    zero, n, 0, NULL, NULL), "clEnqueueCopyBufferToImage");
	show(s, s->twin, "from a buffer");
	must(clReleaseMemObject(b), "clReleaseMemObject");
}

/* A map of all but the first column. */
static void
map(const struct subject *s)
{
	const size_t at[3] = { 1, 0, 0 };
	const size_t n[3] = { s->kind->extent[0] - 1, s->kind->extent[1],
		s->kind->extent[2] };
	const bool lines = s->kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	size_t row, slice = 0, y, z, used = 0;
	uint8_t *p, *from;
	cl_int e;

	p = clEnqueueMapImage(queue, s->image, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, at, n, &row, &slice, 0, NULL, NULL, &e);
	must(e, "clEnqueueMapImage");
	for (z = 0; z < n[2]; z++)
		for (y = 0; y < n[1]; y++) {
			from = p + z * slice + y * (lines ? slice : row);
			memcpy(mine + used, from, n[0] * s->element);
			used += n[0] * s->element;
			scribble(from, n[0] * s->element);
		}
	tell(s, "mapped", used);
	must(clEnqueueUnmapMemObject(queue, s->image, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	show(s, s->image, "unmapped");
}

static void
of_format(struct subject *s)
{
	snprintf(s->name, sizeof(s->name), "%s %04x %04x", s->kind->name,
	    s->format.image_channel_order, s->format.image_channel_data_type);
	s->image = make(s->kind, &s->format);
	s->twin = make(s->kind, &s->format);
	must(clGetImageInfo(s->image, CL_IMAGE_ELEMENT_SIZE,
	    sizeof(s->element), &s->element, NULL), "CL_IMAGE_ELEMENT_SIZE");
	write_all(s, s->image);
	write_all(s, s->twin);
	show(s, s->image, "written");
	/* PoCL 3 crashes at these commands on images in buffers. */
	if (!is_pocl || s->kind->type != CL_MEM_OBJECT_IMAGE1D_BUFFER) {
		fill(s);
		copies(s);
	}
	map(s);
	must(clReleaseMemObject(s->image), "clReleaseMemObject");
	must(clReleaseMemObject(s->twin), "clReleaseMemObject");
}

static void
of_kind(const struct kind *k)
{
	cl_image_format *list = get(FORMATS * sizeof(*list));
	struct subject s = { .kind = k };
	cl_uint n, i;

	must(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, k->type,
	    FORMATS, list, &n), "clGetSupportedImageFormats");
	printf("%s: %u formats\n", k->name, n);
	for (i = 0; i < n && i < FORMATS; i++) {
		s.format = list[i];
		of_format(&s);
	}
	free(list);
}

void
contents_of_formats(void)
{
	char version[256] = "";
	size_t i;
	cl_bool has;

	must(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has),
	    &has, NULL), "CL_DEVICE_IMAGE_SUPPORT");
	if (!has)
		return;
	must(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(version),
	    version, NULL), "CL_DEVICE_VERSION");
	is_pocl = strstr(version, "PoCL") != NULL;
	mine = get(ROOM);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		of_kind(&kinds[i]);
	free(mine);
}
