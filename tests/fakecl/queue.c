/* SPDX-License-Identifier: ISC */
/*
 * queue - the calls about queues and events.
 */
#include "tests/fakecl/calls.h"

#include <CL/cl_ext.h>
#include <string.h>

#include "tests/fakecl/engine.h"

static void
queue_fini(void *p)
{
	fake_unref(((cl_command_queue)p)->context);
}

static cl_command_queue
queue_new(cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int *ret)
{
	cl_command_queue q;

	CHECK_NEW(fake_is(context, KIND_CONTEXT), ret, CL_INVALID_CONTEXT);
	CHECK_NEW(fake_is(device, KIND_DEVICE), ret, CL_INVALID_DEVICE);
	CHECK_NEW(!(properties & ~(cl_command_queue_properties)
	    (CL_QUEUE_PROFILING_ENABLE |
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)), ret,
	    CL_INVALID_QUEUE_PROPERTIES);
	q = fake_new(KIND_QUEUE, sizeof(*q), queue_fini);
	q->context = fake_ref(context);
	q->device = device;
	q->properties = properties;
	return fake_made(ret, q);
}

cl_command_queue
fake_clCreateCommandQueue(cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int *ret)
{
	PLAY_NEW(ret);
	return queue_new(context, device, properties, ret);
}

/* One of three levels, on devices with the extension. */
static bool
hint_ok(const char *extension, cl_queue_properties level)
{
	return strstr(script_get()->extensions, extension) != NULL &&
	    (level == CL_QUEUE_PRIORITY_HIGH_KHR ||
	    level == CL_QUEUE_PRIORITY_MED_KHR ||
	    level == CL_QUEUE_PRIORITY_LOW_KHR);
}

static bool
property_ok(const cl_queue_properties *p)
{
	if (p[0] == CL_QUEUE_PRIORITY_KHR)
		return hint_ok(" cl_khr_priority_hints", p[1]);
	if (p[0] == CL_QUEUE_THROTTLE_KHR)
		return hint_ok(" cl_khr_throttle_hints", p[1]);
	return p[0] == CL_QUEUE_PROPERTIES;
}

cl_command_queue
fake_clCreateCommandQueueWithProperties(cl_context context,
    cl_device_id device, const cl_queue_properties *p, cl_int *ret)
{
	cl_command_queue_properties properties = 0;

	PLAY_NEW(ret);
	CHECK_NEW(script_get()->version >= 200, ret, CL_INVALID_OPERATION);
	for (; p != NULL && *p != 0; p += 2) {
		CHECK_NEW(property_ok(p), ret, CL_INVALID_VALUE);
		if (*p == CL_QUEUE_PROPERTIES)
			properties = p[1];
	}
	return queue_new(context, device, properties, ret);
}

cl_int
fake_clRetainCommandQueue(cl_command_queue q)
{
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	fake_ref(q);
	return CL_SUCCESS;
}

/* Releasing flushes (OpenCL 3.0, 5.1). */
cl_int
fake_clReleaseCommandQueue(cl_command_queue q)
{
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	engine_flush(q);
	fake_unref(q);
	return CL_SUCCESS;
}

cl_int
fake_clGetCommandQueueInfo(cl_command_queue q, cl_command_queue_info param,
    size_t size, void *value, size_t *size_ret)
{
	PLAY();
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	switch (param) {
	case CL_QUEUE_CONTEXT:
		return INFO(q->context);
	case CL_QUEUE_DEVICE:
		return INFO(q->device);
	case CL_QUEUE_PROPERTIES:
		return INFO(q->properties);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
fake_clFlush(cl_command_queue q)
{
	PLAY();
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	engine_flush(q);
	return CL_SUCCESS;
}

cl_int
fake_clFinish(cl_command_queue q)
{
	PLAY();
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	engine_flush(q);
	engine_wait_queue(q);
	return CL_SUCCESS;
}

cl_int
fake_clEnqueueMarkerWithWaitList(cl_command_queue q, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	PLAY();
	return engine_enqueue(&(struct order){ .function = __func__,
	    .queue = q, .type = CL_COMMAND_MARKER, .wait_count = n,
	    .wait = wait, .event = event });
}

cl_int
fake_clEnqueueBarrierWithWaitList(cl_command_queue q, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	PLAY();
	return engine_enqueue(&(struct order){ .function = __func__,
	    .queue = q, .type = CL_COMMAND_BARRIER, .wait_count = n,
	    .wait = wait, .event = event, .barrier = true });
}

/* ---- events -------------------------------------------------------------- */

static void
event_fini(void *p)
{
	fake_unref(((cl_event)p)->queue);
	fake_unref(((cl_event)p)->context);
}

cl_event
event_make(cl_context context, cl_command_queue queue, cl_command_type type)
{
	cl_event e = fake_new(KIND_EVENT, sizeof(*e), event_fini);

	e->context = fake_ref(context);
	e->queue = fake_ref(queue);
	e->type = type;
	e->status = queue != NULL ? CL_QUEUED : CL_SUBMITTED;
	e->stamp[STAMP_QUEUED] = engine_now();
	STAILQ_INIT(&e->callbacks);
	return e;
}

cl_event
fake_clCreateUserEvent(cl_context context, cl_int *ret)
{
	PLAY_NEW(ret);
	CHECK_NEW(fake_is(context, KIND_CONTEXT), ret, CL_INVALID_CONTEXT);
	return fake_made(ret, event_make(context, NULL, CL_COMMAND_USER));
}

cl_int
fake_clSetUserEventStatus(cl_event e, cl_int status)
{
	PLAY();
	CHECK(fake_is(e, KIND_EVENT) && e->queue == NULL, CL_INVALID_EVENT);
	CHECK(status <= CL_COMPLETE, CL_INVALID_VALUE);
	CHECK(!event_ended(e), CL_INVALID_OPERATION);
	event_reach(e, status);
	return CL_SUCCESS;
}

cl_int
fake_clRetainEvent(cl_event e)
{
	CHECK(fake_is(e, KIND_EVENT), CL_INVALID_EVENT);
	fake_ref(e);
	return CL_SUCCESS;
}

cl_int
fake_clReleaseEvent(cl_event e)
{
	CHECK(fake_is(e, KIND_EVENT), CL_INVALID_EVENT);
	fake_unref(e);
	return CL_SUCCESS;
}

cl_int
fake_clWaitForEvents(cl_uint n, const cl_event *list)
{
	cl_int code = CL_SUCCESS;
	cl_uint i;

	PLAY();
	CHECK(n > 0 && list != NULL, CL_INVALID_VALUE);
	for (i = 0; i < n; i++)
		CHECK(fake_is(list[i], KIND_EVENT), CL_INVALID_EVENT);
	for (i = 0; i < n; i++)
		if (list[i]->queue != NULL)
			engine_flush(list[i]->queue);
	for (i = 0; i < n; i++) {
		engine_wait(list[i]);
		if (list[i]->status < 0)
			code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	return code;
}

cl_int
fake_clGetEventInfo(cl_event e, cl_event_info param, size_t size, void *value,
    size_t *size_ret)
{
	cl_int status;

	PLAY();
	CHECK(fake_is(e, KIND_EVENT), CL_INVALID_EVENT);
	switch (param) {
	case CL_EVENT_COMMAND_QUEUE:
		return INFO(e->queue);
	case CL_EVENT_CONTEXT:
		return INFO(e->context);
	case CL_EVENT_COMMAND_TYPE:
		return INFO(e->type);
	case CL_EVENT_COMMAND_EXECUTION_STATUS:
		pthread_mutex_lock(&fake_lock);
		status = e->status;
		pthread_mutex_unlock(&fake_lock);
		return INFO(status);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
fake_clGetEventProfilingInfo(cl_event e, cl_profiling_info param, size_t size,
    void *value, size_t *size_ret)
{
	cl_ulong stamp;
	bool there;

	PLAY();
	CHECK(fake_is(e, KIND_EVENT), CL_INVALID_EVENT);
	CHECK(e->queue != NULL &&
	    (e->queue->properties & CL_QUEUE_PROFILING_ENABLE),
	    CL_PROFILING_INFO_NOT_AVAILABLE);
	CHECK(param >= CL_PROFILING_COMMAND_QUEUED &&
	    param <= CL_PROFILING_COMMAND_COMPLETE, CL_INVALID_VALUE);
	pthread_mutex_lock(&fake_lock);
	there = e->status == CL_COMPLETE;
	stamp = e->stamp[param - CL_PROFILING_COMMAND_QUEUED];
	pthread_mutex_unlock(&fake_lock);
	CHECK(there, CL_PROFILING_INFO_NOT_AVAILABLE);
	return INFO(stamp);
}
