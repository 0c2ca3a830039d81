/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_command_queue
device_queue(struct world *w, cl_context c, cl_bitfield more)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
		more, 0 };
	cl_int e;
	cl_command_queue q = clCreateCommandQueueWithProperties(c, w->device,
	    list, &e);

	must(e, "clCreateCommandQueueWithProperties");
	return q;
}

static cl_command_queue
default_of(cl_command_queue q)
{
	cl_command_queue d = NULL;

	clGetCommandQueueInfo(q, CL_QUEUE_DEVICE_DEFAULT, sizeof(d), &d, NULL);
	return d;
}

static void
queues(struct world *w)
{
	cl_command_queue q = device_queue(w, w->context,
	    CL_QUEUE_ON_DEVICE_DEFAULT);
	cl_command_queue second = device_queue(w, w->context, 0);
	cl_command_queue other = device_queue(w, w->other_context, 0);

	WANT_HANDLE(w, "queue", cl_command_queue,
	    clSetDefaultDeviceCommandQueue(w->context, w->device, h),
	    CL_INVALID_COMMAND_QUEUE);
	WANT(w, "queue of the host", clSetDefaultDeviceCommandQueue(
	    w->context, w->device, w->queue), CL_INVALID_COMMAND_QUEUE);
	WANT(w, "queue of another context", clSetDefaultDeviceCommandQueue(
	    w->context, w->device, other), CL_INVALID_COMMAND_QUEUE);
	IS(w, "made to be the default", default_of(q) == q);
	WANT(w, "a device queue", clSetDefaultDeviceCommandQueue(w->context,
	    w->device, second), CL_SUCCESS);
	IS(w, "the default is another one", default_of(w->queue) == second);
	clReleaseCommandQueue(q);
	clReleaseCommandQueue(second);
	clReleaseCommandQueue(other);
}

void
check_clSetDefaultDeviceCommandQueue(struct world *w)
{
	if (older(w, 21))
		return;
	WANT_HANDLE(w, "context", cl_context, clSetDefaultDeviceCommandQueue(
	    h, w->device, w->queue), CL_INVALID_CONTEXT);
	WANT_HANDLE(w, "device", cl_device_id, clSetDefaultDeviceCommandQueue(
	    w->context, h, w->queue), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "device of no context",
		    clSetDefaultDeviceCommandQueue(w->context, w->stranger,
		    w->queue), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
	if (world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES) == 0 ||
	    (w->version >= 30 && !(world_info(w,
	    CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) &
	    CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT)))
		WANT(w, "no default can be set",
		    clSetDefaultDeviceCommandQueue(w->context, w->device,
		    w->queue), CL_INVALID_OPERATION);
	else
		queues(w);
}
