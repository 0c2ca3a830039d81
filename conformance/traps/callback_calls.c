/* SPDX-License-Identifier: ISC */
/*
 * A callback calls all that does not wait, while the first thread sits in
 * clFinish for a gate that only the callback opens.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "conformance/traps/traps.h"

#define STEPS 16

static cl_event inner_gate, last;
static cl_kernel kernel;
static atomic_int chained;
static cl_int code[STEPS], inner_code[3];
static int steps;

static void
note(cl_int c)
{
	code[steps++] = c;
}

static void CL_CALLBACK
on_inner(cl_event event, cl_int status, void *arg)
{
	(void)arg;
	inner_code[0] = status;
	inner_code[1] = clReleaseEvent(event);
	inner_code[2] = clSetUserEventStatus(inner_gate, CL_COMPLETE);
	atomic_fetch_add(&chained, 1);
}

static void CL_CALLBACK
on_outer(cl_event event, cl_int status, void *arg)
{
	static int x[4] = { 1, 2, 3, 4 };
	cl_command_queue q = queue_new(0);
	cl_mem m = buffer_new(sizeof(x), x);
	cl_event written, added;

	(void)arg;
	note(status);
	note(status_of(event));
	note(clEnqueueWriteBuffer(q, m, CL_FALSE, 0, sizeof(x), x, 0, NULL,
	    &written));
	added = add_launch(q, kernel, m, 1, 4, 1, &written);
	note(clFlush(q));
	note(clRetainMemObject(m));
	note(clReleaseMemObject(m));
	note(clReleaseMemObject(m));
	note(clReleaseEvent(written));
	note(clReleaseCommandQueue(q));
	note(clSetEventCallback(added, CL_COMPLETE, on_inner, NULL));
	note(clRetainContext(context));
	note(clReleaseContext(context));
}

void
callback_calls(void)
{
	cl_event e;
	int i;

	open_device();
	kernel = kernel_new(add_source, "add");
	inner_gate = gate_new();
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e), "marker");
	must(clSetEventCallback(e, CL_COMPLETE, on_outer, NULL),
	    "clSetEventCallback");
	must(clEnqueueMarkerWithWaitList(queue, 1, &inner_gate, &last),
	    "marker");
	must(clFinish(queue), "clFinish");
	say("chained: %d", reaches(&chained, 1));
	for (i = 0; i < steps; i++)
		say("step %d: %d", i, code[i]);
	for (i = 0; i < 3; i++)
		say("inner step %d: %d", i, inner_code[i]);
	say("last: %d", status_of(last));
}
