/* SPDX-License-Identifier: ISC */
/*
 * A first thread waits, in each way there is, for what another thread's user
 * event holds up.
 */
#include "conformance/traps/traps.h"

static int x[4] = { 1, 2, 3, 4 };

static void
wait_in(const char *way, cl_kernel k, cl_mem m, int how)
{
	cl_event gate = gate_new(), e;
	int y[4] = { 0 };
	void *p;
	cl_int code = CL_SUCCESS;

	e = add_launch(queue, k, m, 1, 4, 1, &gate);
	gate_open_later(gate, CL_COMPLETE);
	switch (how) {
	case 0:
		code = clFinish(queue);
		break;
	case 1:
		code = clWaitForEvents(1, &e);
		break;
	case 2:
		code = clWaitForEvents(1, &gate);
		must(clFinish(queue), "clFinish");
		break;
	case 3:
		code = clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(y), y,
		    0, NULL, NULL);
		break;
	default:
		p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0,
		    sizeof(y), 0, NULL, NULL, &code);
		must(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL),
		    "clEnqueueUnmapMemObject");
		break;
	}
	say("%s: %d, status %d", way, code, status_of(e));
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(y), y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("%s: %d %d", way, y[0], y[3]);
	must(clReleaseEvent(e), "clReleaseEvent");
}

void
user_event_thread(void)
{
	static const char *const way[] = { "clFinish", "clWaitForEvents",
		"the user event itself", "blocking read", "blocking map" };
	cl_kernel k;
	cl_mem m;
	int i;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	for (i = 0; i < 5; i++)
		wait_in(way[i], k, m, i);
}
