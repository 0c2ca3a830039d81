/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

typedef cl_queue_properties property;

#define ORDER CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

static cl_command_queue
make(struct world *w, const property *p)
{
	return clCreateCommandQueueWithProperties(w->context, w->device, p,
	    &w->err);
}

static void
with(struct world *w, const char *what, property p, cl_int code)
{
	const property list[] = { CL_QUEUE_PROPERTIES, p, 0 };

	WANT_NEW(w, what, make(w, list), code);
}

static void
values(struct world *w)
{
	const property unknown[] = { NO_SUCH_NAME, 1, 0 };
	const property sized[] = { CL_QUEUE_SIZE, 1024, 0 };
	const property sized_host[] = { CL_QUEUE_PROPERTIES, ORDER,
		CL_QUEUE_SIZE, 1024, 0 };

	WANT_NEW(w, "unknown property", make(w, unknown), CL_INVALID_VALUE);
	with(w, "unknown bits", NO_SUCH_BIT, CL_INVALID_VALUE);
	with(w, "a device queue in order", CL_QUEUE_ON_DEVICE,
	    CL_INVALID_VALUE);
	with(w, "a default of the host", CL_QUEUE_ON_DEVICE_DEFAULT,
	    CL_INVALID_VALUE);
	with(w, "a default of the host, out of order",
	    CL_QUEUE_ON_DEVICE_DEFAULT | ORDER, CL_INVALID_VALUE);
	WANT_NEW(w, "a size of the host's", make(w, sized),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a size of the host's, out of order",
	    make(w, sized_host), CL_INVALID_VALUE);
}

static void
device_queues(struct world *w)
{
	const property max =
	    (property)world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
	const property large[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | ORDER, CL_QUEUE_SIZE, max + 1, 0 };
	/* The property is a cl_uint: there may be none too large. */
	const bool has_limit = max < (cl_uint)-1;
	const property right[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | ORDER, CL_QUEUE_SIZE, max, 0 };
	cl_command_queue q = NULL;
	cl_uint size = 0;

	if (max == 0 ||
	    !world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES)) {
		with(w, "a device queue, which it can't", CL_QUEUE_ON_DEVICE |
		    ORDER, CL_INVALID_QUEUE_PROPERTIES);
		return;
	}
	if (has_limit)
		WANT_NEW(w, "a device queue too large", make(w, large),
		    CL_INVALID_QUEUE_PROPERTIES);
	WANT_NEW(w, "a device queue", q = make(w, right), CL_SUCCESS);
	if (q == NULL)
		return;
	WANT(w, "its size", clGetCommandQueueInfo(q, CL_QUEUE_SIZE,
	    sizeof(size), &size, NULL), CL_SUCCESS);
	IS(w, "its size is as asked for", size == max);
	WANT(w, "flush of a device queue", clFlush(q),
	    CL_INVALID_COMMAND_QUEUE);
	WANT(w, "finish of a device queue", clFinish(q),
	    CL_INVALID_COMMAND_QUEUE);
	clReleaseCommandQueue(q);
}

static void
right(struct world *w, const char *what, const property *p, size_t n)
{
	property got[8] = { 0 };
	cl_command_queue q = NULL;
	size_t size = 77;

	WANT_NEW(w, what, q = make(w, p), CL_SUCCESS);
	if (q == NULL)
		return;
	if (!older(w, 30)) {
		WANT(w, "its list", clGetCommandQueueInfo(q,
		    CL_QUEUE_PROPERTIES_ARRAY, sizeof(got), got, &size),
		    CL_SUCCESS);
		IS(w, "its list is told as it was",
		    size == n * sizeof(*p) &&
		    (n == 0 || memcmp(got, p, size) == 0));
	}
	clReleaseCommandQueue(q);
}

void
check_clCreateCommandQueueWithProperties(struct world *w)
{
	const property empty[] = { 0 }, none[] = { CL_QUEUE_PROPERTIES, 0, 0 };

	if (older(w, 20))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context,
	    clCreateCommandQueueWithProperties(h, w->device, NULL, &w->err),
	    CL_INVALID_CONTEXT);
	WANT_HANDLE_NEW(w, "device", cl_device_id,
	    clCreateCommandQueueWithProperties(w->context, h, NULL, &w->err),
	    CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "device of no context",
		    clCreateCommandQueueWithProperties(w->context,
		    w->stranger, NULL, &w->err), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
	values(w);
	device_queues(w);
	if (!(world_info(w, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) & ORDER))
		with(w, "out of order, which it can't", ORDER,
		    CL_INVALID_QUEUE_PROPERTIES);
	right(w, "no list", NULL, 0);
	right(w, "an empty list", empty, 1);
	right(w, "no properties", none, 3);
	IS(w, "without errcode_ret, failing",
	    clCreateCommandQueueWithProperties(w->context, NULL, NULL,
	    NULL) == NULL);
}
