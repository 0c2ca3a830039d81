/* SPDX-License-Identifier: ISC */
/*
 * Memory objects over the program's memory: images with pitches, overlapping
 * maps and parts, and images that lie in buffers and in other images.
 */
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "conformance/contents.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 65536

static const cl_image_format rgba = { CL_RGBA, CL_UNSIGNED_INT8 };
static uint8_t *mine;

/* ---- images with pitches ----------------------------------------------- */

/* Each with rows and slices longer than its elements of four bytes need. */
static const struct {
	const char *name;
	cl_image_desc desc;
	size_t extent[3];
} pitched[] = {
	{ "1D image", { .image_type = CL_MEM_OBJECT_IMAGE1D,
	    .image_width = 19, .image_row_pitch = 96 }, { 19, 1, 1 } },
	{ "1D image array", { .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
	    .image_width = 19, .image_array_size = 5, .image_row_pitch = 96,
	    .image_slice_pitch = 96 }, { 19, 5, 1 } },
	{ "2D image", { .image_type = CL_MEM_OBJECT_IMAGE2D,
	    .image_width = 19, .image_height = 11, .image_row_pitch = 96 },
	    { 19, 11, 1 } },
	{ "2D image array", { .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
	    .image_width = 19, .image_height = 11, .image_array_size = 4,
	    .image_row_pitch = 96, .image_slice_pitch = 96 * 13 },
	    { 19, 11, 4 } },
	{ "3D image", { .image_type = CL_MEM_OBJECT_IMAGE3D,
	    .image_width = 19, .image_height = 11, .image_depth = 4,
	    .image_row_pitch = 96, .image_slice_pitch = 96 * 13 },
	    { 19, 11, 4 } },
};
#define PITCHED (sizeof(pitched) / sizeof(pitched[0]))

static void
show_image(const char *what, cl_mem m, const size_t n[3])
{
	const size_t zero[3] = { 0, 0, 0 };

	must(clEnqueueReadImage(queue, m, CL_TRUE, zero, n, 0, 0, mine, 0,
	    NULL, NULL), "clEnqueueReadImage");
	line(what, mine, n[0] * n[1] * n[2] * 4);
}

/* Maps of used memory are that memory, and all of it is up to date then. */
static void
map_used(size_t i, cl_mem m, uint8_t *host)
{
	const size_t zero[3] = { 0, 0, 0 }, *n = pitched[i].extent;
	size_t row, slice = 0;
	cl_int e;
	uint8_t *p = clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, zero, n, &row, &slice, 0, NULL, NULL, &e);

	must(e, "clEnqueueMapImage");
	printf("%s: %s\n", pitched[i].name,
	    p == host ? "the program's memory" : "other memory");
	/* Intel's library says that a single row has no pitch. */
	if (n[1] > 1)
		printf("rows of %zu bytes, slices of %zu\n", row, slice);
	line("the memory under it", host, ROOM / 4);
	p[3] ^= 255;
	must(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	show_image("the image after that", m, n);
}

static void
of_pitches(size_t i, cl_mem_flags flags)
{
	const size_t at[3] = { 3, 0, 0 }, one[3] = { 5, 1, 1 };
	uint8_t *host = get(ROOM);
	cl_int e;
	cl_mem m;

	scribble(host, ROOM);
	m = clCreateImage(context, flags, &rgba, &pitched[i].desc, host, &e);
	must(e, "clCreateImage");
	show_image(pitched[i].name, m, pitched[i].extent);
	scribble(mine, 20);
	must(clEnqueueWriteImage(queue, m, CL_TRUE, at, one, 0, 0, mine, 0,
	    NULL, NULL), "clEnqueueWriteImage");
	show_image("after a write", m, pitched[i].extent);
	if (flags & CL_MEM_USE_HOST_PTR)
		map_used(i, m, host);
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clFinish(queue), "clFinish");
	free(host);
}

/* ---- maps that overlap ------------------------------------------------- */

/* Two for writing, one in the other; both see what either one wrote. */
static void
overlapping_maps(cl_mem_flags flags)
{
	uint8_t *host = get(ROOM), *low, *high;
	cl_int e;
	cl_mem m;

	scribble(host, ROOM);
	m = clCreateBuffer(context, flags, ROOM, host, &e);
	must(e, "clCreateBuffer");
	low = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_WRITE, 100, 20000,
	    0, NULL, NULL, &e);
	must(e, "clEnqueueMapBuffer");
	high = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, 10100, 20000, 0, NULL, NULL, &e);
	must(e, "clEnqueueMapBuffer");
	printf("overlapping maps are %td bytes apart\n", high - low);
	scribble(low, 20000);
	line("the upper of two maps", high, 20000);
	scribble(high, 5000);
	must(clEnqueueUnmapMemObject(queue, m, low, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	must(clEnqueueUnmapMemObject(queue, m, high, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, ROOM, mine, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	line("a buffer after two maps", mine, ROOM);
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clFinish(queue), "clFinish");
	free(host);
}

/* Parts of a buffer over the program's memory, mapped through one another. */
static void
overlapping_parts(void)
{
	const cl_buffer_region low = { 0, 32768 }, high = { 16384, 32768 };
	uint8_t *host = get(ROOM), *p;
	cl_int e;
	cl_mem m, a, b;

	scribble(host, ROOM);
	m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, ROOM, host, &e);
	must(e, "clCreateBuffer");
	a = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &e);
	must(e, "clCreateSubBuffer");
	b = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &e);
	must(e, "clCreateSubBuffer");
	p = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 16000, 4000, 0,
	    NULL, NULL, &e);
	must(e, "clEnqueueMapBuffer");
	printf("a part's map: %s\n", p == host + 16000 ?
	    "the program's memory" : "other memory");
	scribble(p, 4000);
	must(clEnqueueUnmapMemObject(queue, a, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	p = clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 0, 32768, 0,
	    NULL, NULL, &e);
	must(e, "clEnqueueMapBuffer");
	line("the other part", p, 32768);
	must(clEnqueueUnmapMemObject(queue, b, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	must(clReleaseMemObject(a), "clReleaseMemObject");
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clReleaseMemObject(b), "clReleaseMemObject");
	must(clFinish(queue), "clFinish");
	free(host);
}

/* ---- images in other objects ------------------------------------------- */

static void
use_image_in(cl_mem parent, cl_mem image)
{
	const size_t at[3] = { 2, 1, 0 }, n[3] = { 9, 5, 1 };
	size_t row;
	uint8_t *p;
	cl_int e;

	scribble(mine, ROOM);
	must(clEnqueueWriteImage(queue, image, CL_TRUE, at, n, 0, 0, mine, 0,
	    NULL, NULL), "clEnqueueWriteImage");
	p = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, at, n,
	    &row, NULL, 0, NULL, NULL, &e);
	must(e, "clEnqueueMapImage");
	printf("rows of an image in another object: %zu bytes\n", row);
	scribble(p + row, 8);
	must(clEnqueueUnmapMemObject(queue, image, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	must(clEnqueueReadBuffer(queue, parent, CL_TRUE, 0, ROOM, mine, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	line("the buffer that it lies in", mine, ROOM);
}

/* Where the device has none, the vendor's call says so. */
static void
planes(void)
{
	cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 16, .image_height = 12,
		.image_row_pitch = 1024 };
	cl_uint align = 0;
	cl_mem image, view;
	cl_int e;

	clGetDeviceInfo(device, CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
	    sizeof(align), &align, NULL);
	scribble(mine, ROOM);
	d.mem_object = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, ROOM,
	    mine, &e);
	must(e, "clCreateBuffer");
	image = align != 0 ? clCreateImage(context, 0, &rgba, &d, NULL, &e) :
	    NULL;
	printf("2D image in a buffer: %s\n", image != NULL ? "yes" : "no");
	if (image != NULL) {
		use_image_in(d.mem_object, image);
		must(clReleaseMemObject(image), "clReleaseMemObject");
	}
	must(clReleaseMemObject(d.mem_object), "clReleaseMemObject");
	d.image_row_pitch = 0;
	d.mem_object = NULL;
	image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &rgba, &d, mine,
	    &e);
	must(e, "clCreateImage");
	d.mem_object = image;
	view = clCreateImage(context, 0, &rgba, &d, NULL, &e);
	printf("2D image in an image: %s\n", view != NULL ? "yes" : "no");
	if (view != NULL) {
		show_image("an image in an image", view,
		    (const size_t[3]){ 16, 12, 1 });
		must(clReleaseMemObject(view), "clReleaseMemObject");
	}
	must(clReleaseMemObject(image), "clReleaseMemObject");
}

/* ---- what vendors take, whatever the specification says ----------------- */

static void
lenient(void)
{
	const size_t zero[3] = { 0, 0, 0 }, n[3] = { 16, 12, 1 };
	cl_int e;
	cl_mem m = clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &rgba, 16,
	    12, 0, mine, &e);

	must(e, "clCreateImage2D");
	scribble(mine, ROOM);
	must(clEnqueueWriteImage(queue, m, CL_TRUE, zero, n, 64, 64 * 12, mine,
	    0, NULL, NULL), "clEnqueueWriteImage");
	must(clEnqueueReadImage(queue, m, CL_TRUE, zero, n, 80, 80 * 12, mine,
	    0, NULL, NULL), "clEnqueueReadImage");
	line("a 2D image with a slice pitch", mine, 80 * 12);
	must(clReleaseMemObject(m), "clReleaseMemObject");
	m = clCreateImage3D(context, CL_MEM_COPY_HOST_PTR, &rgba, 16, 12, 1, 0,
	    0, mine, &e);
	must(e, "clCreateImage3D");
	show_image("a 3D image of one slice", m, n);
	must(clReleaseMemObject(m), "clReleaseMemObject");
}

void
contents_of_host_memory(void)
{
	size_t i;
	cl_bool has;

	mine = get(ROOM);
	overlapping_maps(CL_MEM_COPY_HOST_PTR);
	overlapping_maps(CL_MEM_USE_HOST_PTR);
	overlapping_parts();
	must(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has),
	    &has, NULL), "CL_DEVICE_IMAGE_SUPPORT");
	for (i = 0; has && i < PITCHED; i++) {
		of_pitches(i, CL_MEM_COPY_HOST_PTR);
		of_pitches(i, CL_MEM_USE_HOST_PTR);
	}
	if (has) {
		planes();
		lenient();
	}
	free(mine);
}
