/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/images.h"

static cl_int
ask(struct world *w, cl_mem_flags flags, cl_mem_object_type type, cl_uint n,
    cl_image_format *list, cl_uint *count)
{
	return clGetSupportedImageFormats(w->context, flags, type, n, list,
	    count);
}

static void
lists(struct world *w)
{
	cl_image_format one[2], many[512];
	cl_uint n = 0, same = 0;

	WANT(w, "number of formats", ask(w, CL_MEM_READ_WRITE,
	    CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n), CL_SUCCESS);
	IS(w, "there are some", n > 0 && n <= 512);
	memset(one, 0x5a, sizeof(one));
	WANT(w, "room for one of them", ask(w, CL_MEM_READ_WRITE,
	    CL_MEM_OBJECT_IMAGE2D, 1, one, &same), CL_SUCCESS);
	IS(w, "the number is that of all", same == n);
	IS(w, "one is written", one[0].image_channel_order != 0x5a5a5a5a &&
	    one[1].image_channel_order == 0x5a5a5a5a);
	WANT(w, "room for all", ask(w, CL_MEM_READ_WRITE,
	    CL_MEM_OBJECT_IMAGE2D, 512, many, NULL), CL_SUCCESS);
	IS(w, "the first is the same",
	    memcmp(&one[0], &many[0], sizeof(one[0])) == 0);
}

void
check_clGetSupportedImageFormats(struct world *w)
{
	cl_image_format list[2];
	cl_uint n = 77;
	size_t i;

	if (no_images(w))
		return;
	WANT_HANDLE(w, "context", cl_context, clGetSupportedImageFormats(h,
	    CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n),
	    CL_INVALID_CONTEXT);
	WANT(w, "unknown flags", ask(w, NO_SUCH_BIT, CL_MEM_OBJECT_IMAGE2D, 0,
	    NULL, &n), CL_INVALID_VALUE);
	WANT(w, "read and write only", ask(w, CL_MEM_READ_ONLY |
	    CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &n),
	    CL_INVALID_VALUE);
	WANT(w, "a buffer", ask(w, CL_MEM_READ_WRITE, CL_MEM_OBJECT_BUFFER, 0,
	    NULL, &n), CL_INVALID_VALUE);
	WANT(w, "unknown type", ask(w, CL_MEM_READ_WRITE, NO_SUCH_NAME, 0,
	    NULL, &n), CL_INVALID_VALUE);
	WANT(w, "room for none", ask(w, CL_MEM_READ_WRITE,
	    CL_MEM_OBJECT_IMAGE2D, 0, list, &n), CL_INVALID_VALUE);
	IS(w, "errors write nothing", n == 77);
	WANT(w, "no place for anything", ask(w, CL_MEM_READ_WRITE,
	    CL_MEM_OBJECT_IMAGE2D, 0, NULL, NULL), CL_SUCCESS);
	for (i = 0; i < IMAGE_KINDS; i++)
		WANT(w, image_kinds[i].name, ask(w, CL_MEM_READ_ONLY,
		    image_kinds[i].type, 0, NULL, &n), CL_SUCCESS);
	if (w->version >= 20)
		WANT(w, "read and written by one kernel", ask(w,
		    CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, 0,
		    NULL, &n), CL_SUCCESS);
	lists(w);
}
