/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_command_queue
make(struct world *w, cl_command_queue_properties p)
{
	return clCreateCommandQueue(w->context, w->device, p, &w->err);
}

static cl_ulong
told(cl_command_queue q, cl_command_queue_info param)
{
	cl_ulong v = 0;

	clGetCommandQueueInfo(q, param, sizeof(v), &v, NULL);
	return v;
}

static void
right(struct world *w, const char *what, cl_command_queue_properties p)
{
	const cl_command_queue_properties has =
	    world_info(w, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
	cl_command_queue q = NULL;

	if ((has & p) != p) {
		WANT_NEW(w, what, make(w, p), CL_INVALID_QUEUE_PROPERTIES);
		return;
	}
	WANT_NEW(w, what, q = make(w, p), CL_SUCCESS);
	if (q == NULL)
		return;
	IS(w, "its properties are told", told(q, CL_QUEUE_PROPERTIES) == p);
	clReleaseCommandQueue(q);
}

void
check_clCreateCommandQueue(struct world *w)
{
	const cl_command_queue_properties order =
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

	WANT_HANDLE_NEW(w, "context", cl_context, clCreateCommandQueue(h,
	    w->device, 0, &w->err), CL_INVALID_CONTEXT);
	WANT_HANDLE_NEW(w, "device", cl_device_id, clCreateCommandQueue(
	    w->context, h, 0, &w->err), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "device of no context", clCreateCommandQueue(
		    w->context, w->stranger, 0, &w->err), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
	WANT_NEW(w, "unknown properties", make(w, NO_SUCH_BIT),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "unknown properties and a known one",
	    make(w, NO_SUCH_BIT | CL_QUEUE_PROFILING_ENABLE),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a device queue", make(w, CL_QUEUE_ON_DEVICE | order),
	    CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES);
	right(w, "no properties", 0);
	right(w, "profiling", CL_QUEUE_PROFILING_ENABLE);
	right(w, "out of order", order);
	right(w, "both", order | CL_QUEUE_PROFILING_ENABLE);
	IS(w, "without errcode_ret, failing", clCreateCommandQueue(w->context,
	    NULL, 0, NULL) == NULL);
}
