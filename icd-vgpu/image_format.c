/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/image_format.h"

#include <endian.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/mem.h"
#include "protocol/messages.h"

#define ACCESS (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | \
	CL_MEM_KERNEL_READ_AND_WRITE)

/* The formats for one kind of image and access; entries are never changed. */
struct image_formats {
	struct image_formats *next;
	cl_mem_flags flags;
	cl_mem_object_type type;
	cl_uint count;
	cl_image_format format[];
};

static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;

/* ---- sizes (OpenCL 3.0, 5.3.1.1) --------------------------------------- */

static const struct {
	cl_channel_order order;
	unsigned char channels;
} orders[] = {
	{ CL_R, 1 }, { CL_A, 1 }, { CL_DEPTH, 1 }, { CL_LUMINANCE, 1 },
	{ CL_INTENSITY, 1 }, { CL_Rx, 2 }, { CL_RG, 2 }, { CL_RA, 2 },
	{ CL_RGx, 3 }, { CL_RGB, 3 }, { CL_sRGB, 3 }, { CL_RGBx, 4 },
	{ CL_RGBA, 4 }, { CL_ARGB, 4 }, { CL_BGRA, 4 }, { CL_ABGR, 4 },
	{ CL_sRGBx, 4 }, { CL_sRGBA, 4 }, { CL_sBGRA, 4 },
};

static const struct {
	cl_channel_type type;
	unsigned char size;	/* of one channel, or of all */
	bool packed;
} types[] = {
	{ CL_SNORM_INT8, 1, false }, { CL_SNORM_INT16, 2, false },
	{ CL_UNORM_INT8, 1, false }, { CL_UNORM_INT16, 2, false },
	{ CL_UNORM_SHORT_565, 2, true }, { CL_UNORM_SHORT_555, 2, true },
	{ CL_UNORM_INT_101010, 4, true }, { CL_UNORM_INT_101010_2, 4, true },
	{ CL_SIGNED_INT8, 1, false }, { CL_SIGNED_INT16, 2, false },
	{ CL_SIGNED_INT32, 4, false }, { CL_UNSIGNED_INT8, 1, false },
	{ CL_UNSIGNED_INT16, 2, false }, { CL_UNSIGNED_INT32, 4, false },
	{ CL_HALF_FLOAT, 2, false }, { CL_FLOAT, 4, false },
};

static unsigned
channels_of(cl_channel_order order)
{
	size_t i;

	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i].order == order)
			return orders[i].channels;
	return 0;
}

size_t
image_format_size(const cl_image_format *f)
{
	unsigned channels = channels_of(f->image_channel_order);
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].type == f->image_channel_data_type)
			break;
	if (channels == 0 || i == sizeof(types) / sizeof(types[0]))
		return 0;
	if (!types[i].packed)
		return (size_t)channels * types[i].size;
	/* Packed types have three channels, or four where the name says so. */
	return channels >= 3 ? types[i].size : 0;
}

size_t
image_format_color_size(const cl_image_format *f)
{
	return f->image_channel_order == CL_DEPTH ? sizeof(cl_float) :
	    sizeof(cl_float4);
}

bool
image_type_known(cl_mem_object_type type)
{
	switch (type) {
	case CL_MEM_OBJECT_IMAGE1D:
	case CL_MEM_OBJECT_IMAGE1D_BUFFER:
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
	case CL_MEM_OBJECT_IMAGE2D:
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
	case CL_MEM_OBJECT_IMAGE3D:
		return true;
	default:
		return false;
	}
}

/* ---- what devices have ------------------------------------------------- */

static const struct image_formats *
find(const struct context *c, cl_mem_flags flags, cl_mem_object_type type)
{
	const struct image_formats *f;

	pthread_mutex_lock(&lists);
	for (f = c->formats; f != NULL; f = f->next)
		if (f->flags == flags && f->type == type)
			break;
	pthread_mutex_unlock(&lists);
	return f;
}

/* A list from the host's bytes: order and type as numbers of 32 bits. */
static struct image_formats *
list_new(const struct span *bytes)
{
	const uint64_t most = sizeof(orders) * sizeof(types);
	size_t i, n;
	uint32_t pair[2];
	struct image_formats *f;

	n = bytes->n / sizeof(pair);
	if (bytes->n % sizeof(pair) != 0 || n > most ||
	    (f = calloc(1, sizeof(*f) + n * sizeof(f->format[0]))) == NULL)
		return NULL;
	for (i = 0; i < n; i++) {
		memcpy(pair, (const uint8_t *)bytes->p + i * sizeof(pair),
		    sizeof(pair));
		f->format[i].image_channel_order = le32toh(pair[0]);
		f->format[i].image_channel_data_type = le32toh(pair[1]);
	}
	f->count = (cl_uint)n;
	return f;
}

static cl_int
fetch(struct context *c, cl_mem_flags flags, cl_mem_object_type type,
    const struct image_formats **list)
{
	struct msg_clGetSupportedImageFormats m = {
		.context.id = c->o.id,
		.flags = flags,
		.image_type = type,
	};
	struct reply_clGetSupportedImageFormats reply;
	struct image_formats *f = NULL;
	struct buf body;
	cl_int code;

	code = call_sync(&desc_clGetSupportedImageFormats, &m, &reply, &body);
	if (code == CL_SUCCESS && (f = list_new(&reply.formats)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	buf_fini(&body);
	if (code != CL_SUCCESS)
		return code;
	f->flags = flags;
	f->type = type;
	pthread_mutex_lock(&lists);
	f->next = c->formats;
	c->formats = f;
	pthread_mutex_unlock(&lists);
	*list = f;
	return CL_SUCCESS;
}

static cl_int
formats_of(struct context *c, cl_mem_flags flags, cl_mem_object_type type,
    const struct image_formats **list)
{
	if ((flags &= ACCESS) == 0)
		flags = CL_MEM_READ_WRITE;
	*list = find(c, flags, type);
	return *list != NULL ? CL_SUCCESS : fetch(c, flags, type, list);
}

void
image_formats_free(struct image_formats *f)
{
	struct image_formats *next;

	for (; f != NULL; f = next) {
		next = f->next;
		free(f);
	}
}

cl_int
image_format_check(struct context *c, cl_mem_flags flags,
    cl_mem_object_type type, const cl_image_format *format)
{
	const struct image_formats *list;
	cl_int code = formats_of(c, flags, type, &list);
	cl_uint i;

	if (code != CL_SUCCESS)
		return code;
	for (i = 0; i < list->count; i++)
		if (memcmp(&list->format[i], format, sizeof(*format)) == 0)
			return CL_SUCCESS;
	return CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

/* Unlike those of creations, they may say that one kernel does both. */
static cl_int
check_flags(cl_mem_flags flags)
{
	const cl_mem_flags both = CL_MEM_KERNEL_READ_AND_WRITE;

	return mem_check_flags(flags & ~both);
}

cl_int
icd_clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
    cl_mem_object_type image_type, cl_uint num_entries,
    cl_image_format *image_formats, cl_uint *num_image_formats)
{
	struct context *c = context_check(context);
	const struct image_formats *list;
	cl_int code;

	if (c == NULL)
		return CL_INVALID_CONTEXT;
	if (check_flags(flags) != CL_SUCCESS ||
	    !image_type_known(image_type) ||
	    (num_entries == 0 && image_formats != NULL))
		return CL_INVALID_VALUE;
	if ((code = formats_of(c, flags, image_type, &list)) != CL_SUCCESS)
		return code;
	if (image_formats != NULL)
		memcpy(image_formats, list->format,
		    (num_entries < list->count ? num_entries : list->count) *
		    sizeof(*image_formats));
	if (num_image_formats != NULL)
		*num_image_formats = list->count;
	return CL_SUCCESS;
}

void
image_formats_fork(enum fork_phase phase)
{
	fork_mutex(&lists, phase);
}
