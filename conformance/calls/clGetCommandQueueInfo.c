/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetCommandQueueInfo(object, param, size, value, size_ret);
}

static void
device_queue(struct world *w)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		0 };
	cl_uint size = 0;
	cl_int e;
	cl_command_queue q = clCreateCommandQueueWithProperties(w->context,
	    w->device, list, &e);

	must(e, "clCreateCommandQueueWithProperties");
	WANT(w, "size of a device queue", clGetCommandQueueInfo(q,
	    CL_QUEUE_SIZE, sizeof(size), &size, NULL), CL_SUCCESS);
	IS(w, "it is what the device prefers", size ==
	    world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE));
	clReleaseCommandQueue(q);
}

static void
since_2_0(struct world *w)
{
	cl_uint size = 0;

	if (older(w, 20))
		return;
	WANT(w, "size of a host queue", clGetCommandQueueInfo(w->queue,
	    CL_QUEUE_SIZE, sizeof(size), &size, NULL),
	    CL_INVALID_COMMAND_QUEUE);
	if (world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES))
		device_queue(w);
}

static void
since_2_1(struct world *w)
{
	cl_command_queue q = w->queue;

	if (older(w, 21))
		return;
	WANT(w, "default device queue", clGetCommandQueueInfo(w->queue,
	    CL_QUEUE_DEVICE_DEFAULT, sizeof(q), &q, NULL), CL_SUCCESS);
	IS(w, "there is no default device queue", q == NULL);
}

void
check_clGetCommandQueueInfo(struct world *w)
{
	cl_context c = NULL;
	cl_device_id d = NULL;

	query_cases(w, &(struct query){ .ask = ask, .object = w->queue,
	    .type = "cl_command_queue", .no_object = CL_INVALID_COMMAND_QUEUE,
	    .param = CL_QUEUE_CONTEXT, .size = sizeof(cl_context) });
	must(clGetCommandQueueInfo(w->queue, CL_QUEUE_CONTEXT, sizeof(c), &c,
	    NULL), "CL_QUEUE_CONTEXT");
	IS(w, "its context", c == w->context);
	must(clGetCommandQueueInfo(w->queue, CL_QUEUE_DEVICE, sizeof(d), &d,
	    NULL), "CL_QUEUE_DEVICE");
	IS(w, "its device", d == w->device);
	since_2_0(w);
	since_2_1(w);
}
