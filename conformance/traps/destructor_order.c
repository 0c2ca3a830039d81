/* SPDX-License-Identifier: ISC */
/*
 * Callbacks for the end of objects run when nothing uses them any more, the
 * last registered first, and other calls may be made from them.
 */
#include <stdatomic.h>

#include "conformance/traps/traps.h"

static atomic_int ended;
static int order[16];
static cl_mem handle;
static int right_handle;

static void
note(int n)
{
	order[atomic_fetch_add(&ended, 1) % 16] = n;
}

static void CL_CALLBACK
mem_ended(cl_mem m, void *arg)
{
	right_handle += m == handle;
	note((int)(size_t)arg);
}

static void CL_CALLBACK
context_ended(cl_context c, void *arg)
{
	(void)c;
	note((int)(size_t)arg);
}

static void
try_buffer(void)
{
	int x[1000], i;
	cl_event gate = gate_new();

	handle = buffer_new(sizeof(x), NULL);
	for (i = 1; i <= 3; i++)
		must(clSetMemObjectDestructorCallback(handle, mem_ended,
		    (void *)(size_t)i), "clSetMemObjectDestructorCallback");
	must(clEnqueueReadBuffer(queue, handle, CL_FALSE, 0, sizeof(x), x, 1,
	    &gate, NULL), "clEnqueueReadBuffer");
	must(clReleaseMemObject(handle), "clReleaseMemObject");
	say("in use: %d", atomic_load(&ended));
	gate_open(gate, CL_COMPLETE);
	must(clFinish(queue), "clFinish");
	say("buffer: %d", reaches(&ended, 3));
	say("order: %d %d %d", order[0], order[1], order[2]);
	say("handle: %d", right_handle);
	must(clReleaseEvent(gate), "clReleaseEvent");
}

void
destructor_order(void)
{
	cl_mem m;
	int i;

	open_device();
	try_buffer();
	atomic_store(&ended, 0);
	m = buffer_new(64, NULL);
	for (i = 1; i <= 3; i++)
		must(clSetContextDestructorCallback(context, context_ended,
		    (void *)(size_t)i), "clSetContextDestructorCallback");
	close_device();
	say("context in use: %d", atomic_load(&ended));
	must(clReleaseMemObject(m), "clReleaseMemObject");
	say("context: %d", reaches(&ended, 3));
	say("order: %d %d %d", order[0], order[1], order[2]);
}
