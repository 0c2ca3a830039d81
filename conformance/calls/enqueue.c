/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

#include <time.h>

#include "conformance/calls/case.h"

#define MANY 40			/* longer than lists that are kept on a stack */

cl_command_queue
queue_apart(struct world *w)
{
	cl_int e;
	cl_command_queue q = clCreateCommandQueue(w->context, w->device, 0,
	    &e);

	must(e, "clCreateCommandQueue");
	return q;
}

cl_event
event_with(struct world *w, cl_int status)
{
	cl_int e;
	cl_event u = clCreateUserEvent(w->context, &e);

	must(e, "clCreateUserEvent");
	must(clSetUserEventStatus(u, status), "clSetUserEventStatus");
	return u;
}

static cl_int
status_of(cl_event event)
{
	cl_int status = 1;

	must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL),
	    "CL_EVENT_COMMAND_EXECUTION_STATUS");
	return status;
}

cl_int
event_end(cl_event event)
{
	const struct timespec pause = { 0, 1000000 };
	struct timespec begin, now;
	cl_int status;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	now = begin;
	while ((status = status_of(event)) > CL_COMPLETE &&
	    now.tv_sec - begin.tv_sec < case_seconds / 2) {
		nanosleep(&pause, NULL);
		clock_gettime(CLOCK_MONOTONIC, &now);
	}
	return status > CL_COMPLETE ? 1 : status;
}

/* ---- queues ------------------------------------------------------------ */

static void
device_queue(struct world *w, const struct enqueue *c)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		0 };
	cl_command_queue q;
	cl_int e;

	if (w->version < 20 ||
	    world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES) == 0)
		return;
	q = clCreateCommandQueueWithProperties(w->context, w->device, list,
	    &e);
	must(e, "clCreateCommandQueueWithProperties");
	WANT_EVENT(w, "queue on the device", c->run(w, q, 0, NULL, &w->done),
	    CL_INVALID_COMMAND_QUEUE);
	clReleaseCommandQueue(q);
}

static void
queues(struct world *w, const struct enqueue *c)
{
	WANT_HANDLE_EVENT(w, "queue", cl_command_queue,
	    c->run(w, h, 0, NULL, &w->done), CL_INVALID_COMMAND_QUEUE);
	device_queue(w, c);
	if (!c->no_objects)
		WANT_EVENT(w, "queue of another context",
		    c->run(w, w->other_queue, 0, NULL, &w->done),
		    CL_INVALID_CONTEXT);
}

/* ---- wait lists -------------------------------------------------------- */

static void
long_lists(struct world *w, const struct enqueue *c)
{
	const cl_event complete = event_with(w, CL_COMPLETE);
	cl_event list[MANY];
	int i;

	for (i = 0; i < MANY; i++)
		list[i] = complete;
	WANT_EVENT(w, "long wait list",
	    c->run(w, w->queue, MANY, list, &w->done), CL_SUCCESS);
	list[MANY - 1] = NULL;
	WANT_EVENT(w, "long wait list that ends in no event",
	    c->run(w, w->queue, MANY, list, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST);
	list[MANY - 1] = w->other_event;
	WANT_EVENT(w, "long wait list that ends in another context",
	    c->run(w, w->queue, MANY, list, &w->done), CL_INVALID_CONTEXT);
	clReleaseEvent(complete);
}

static void
wait_lists(struct world *w, const struct enqueue *c)
{
	const cl_event none = NULL;
	const cl_event other = (cl_event)world_other(w, "cl_event");

	WANT_EVENT(w, "wait list nowhere",
	    c->run(w, w->queue, 1, NULL, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST);
	WANT_EVENT(w, "wait list of none",
	    c->run(w, w->queue, 0, &w->event, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST);
	WANT_EVENT(w, "wait list with no event",
	    c->run(w, w->queue, 1, &none, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST);
	WANT_EVENT(w, "wait list with what is no event",
	    c->run(w, w->queue, 1, &other, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST);
	WANT_EVENT(w, "wait list with an event of another context",
	    c->run(w, w->queue, 1, &w->other_event, &w->done),
	    CL_INVALID_CONTEXT);
	WANT(w, "wait list with an event of another context, no event wanted",
	    c->run(w, w->queue, 1, &w->other_event, NULL),
	    CL_INVALID_CONTEXT);
	long_lists(w, c);
}

/* What waits for an error ends with one. */
static void
failed_waits(struct world *w, const struct enqueue *c)
{
	const cl_event failed = event_with(w, -5);
	cl_command_queue q = queue_apart(w);
	cl_event event = NULL;

	WANT(w, "wait list with a failed event",
	    c->run(w, q, 1, &failed, &event), CL_SUCCESS,
	    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	IS(w, "its event ends in an error",
	    event == NULL || event_end(event) < 0);
	if (event != NULL)
		clReleaseEvent(event);
	if (c->blocking != NULL)
		WANT(w, "blocking, wait list with a failed event",
		    c->blocking(w, q, 1, &failed, NULL),
		    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	clReleaseEvent(failed);
	clReleaseCommandQueue(q);
}

/* ---- events ------------------------------------------------------------ */

static void
event_says(struct world *w, const struct enqueue *c, cl_command_queue q,
    cl_event event)
{
	cl_command_type type = 0;
	cl_command_queue queue = NULL;
	cl_context context = NULL;

	clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
	    NULL);
	clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue,
	    NULL);
	clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof(context), &context,
	    NULL);
	IS(w, "the event's command type", type == c->type);
	IS(w, "the event's queue and context",
	    queue == q && context == w->context);
}

/* Behind an event that is set late. */
static void
late(struct world *w, const struct enqueue *c)
{
	cl_command_queue q = queue_apart(w);
	cl_event gate, event = NULL;
	cl_int e;

	gate = clCreateUserEvent(w->context, &e);
	must(e, "clCreateUserEvent");
	WANT(w, "behind an event that is not set",
	    c->run(w, q, 1, &gate, &event), CL_SUCCESS);
	if (event != NULL) {
		IS(w, "it has not ended", status_of(event) > CL_COMPLETE);
		event_says(w, c, q, event);
	}
	must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	if (event != NULL) {
		WANT(w, "waiting for it", clWaitForEvents(1, &event),
		    CL_SUCCESS);
		IS(w, "it is complete", status_of(event) == CL_COMPLETE);
		clReleaseEvent(event);
	}
	clReleaseEvent(gate);
	clReleaseCommandQueue(q);
}

void
enqueue_cases(struct world *w, const struct enqueue *c)
{
	queues(w, c);
	wait_lists(w, c);
	WANT(w, "no event wanted", c->run(w, w->queue, 0, NULL, NULL),
	    CL_SUCCESS);
	WANT_EVENT(w, "an event wanted",
	    c->run(w, w->queue, 0, NULL, &w->done), CL_SUCCESS);
	if (c->blocking != NULL) {
		WANT(w, "blocking", c->blocking(w, w->queue, 0, NULL, NULL),
		    CL_SUCCESS);
		WANT_EVENT(w, "blocking, with an event",
		    c->blocking(w, w->queue, 0, NULL, &w->done), CL_SUCCESS);
	}
	late(w, c);
	failed_waits(w, c);
	WANT(w, "all ends", clFinish(w->queue), CL_SUCCESS);
}
