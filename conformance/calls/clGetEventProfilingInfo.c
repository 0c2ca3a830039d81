/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetEventProfilingInfo(object, param, size, value, size_ret);
}

static cl_ulong
stamp(cl_event e, cl_profiling_info param)
{
	cl_ulong t = 0;

	must(clGetEventProfilingInfo(e, param, sizeof(t), &t, NULL),
	    "clGetEventProfilingInfo");
	return t;
}

static cl_int
of(cl_event e)
{
	cl_ulong t;

	return clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof(t),
	    &t, NULL);
}

static void
unfinished(struct world *w, cl_command_queue q)
{
	cl_event gate = clCreateUserEvent(w->context, &w->err), e = NULL;

	must(w->err, "clCreateUserEvent");
	must(clEnqueueMarkerWithWaitList(q, 1, &gate, &e),
	    "clEnqueueMarkerWithWaitList");
	WANT(w, "a command that has not ended", of(e),
	    CL_PROFILING_INFO_NOT_AVAILABLE);
	must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	WANT(w, "a command that has ended", of(e), CL_SUCCESS);
	clReleaseEvent(e);
	clReleaseEvent(gate);
}

static void
stamps(struct world *w, cl_event e)
{
	const cl_ulong queued = stamp(e, CL_PROFILING_COMMAND_QUEUED);
	const cl_ulong submitted = stamp(e, CL_PROFILING_COMMAND_SUBMIT);
	const cl_ulong begun = stamp(e, CL_PROFILING_COMMAND_START);
	const cl_ulong ended = stamp(e, CL_PROFILING_COMMAND_END);

	IS(w, "stamps are in order", queued <= submitted &&
	    submitted <= begun && begun <= ended);
	if (w->version >= 20)
		IS(w, "complete is not before the end",
		    stamp(e, CL_PROFILING_COMMAND_COMPLETE) >= ended);
}

void
check_clGetEventProfilingInfo(struct world *w)
{
	static char host[16];
	cl_command_queue q = clCreateCommandQueue(w->context, w->device,
	    CL_QUEUE_PROFILING_ENABLE, &w->err);
	cl_event e = NULL;

	must(w->err, "clCreateCommandQueue");
	must(clEnqueueWriteBuffer(q, w->buffer, CL_TRUE, 0, sizeof(host),
	    host, 0, NULL, &e), "clEnqueueWriteBuffer");
	query_cases(w, &(struct query){ .ask = ask, .object = e,
	    .type = "cl_event", .no_object = CL_INVALID_EVENT,
	    .param = CL_PROFILING_COMMAND_END, .size = sizeof(cl_ulong) });
	stamps(w, e);
	clReleaseEvent(e);
	WANT(w, "user event", of(w->event), CL_PROFILING_INFO_NOT_AVAILABLE);
	must(clEnqueueMarker(w->queue, &e), "clEnqueueMarker");
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	WANT(w, "queue without profiling", of(e),
	    CL_PROFILING_INFO_NOT_AVAILABLE);
	clReleaseEvent(e);
	if (w->version >= 12)
		unfinished(w, q);
	clReleaseCommandQueue(q);
}
