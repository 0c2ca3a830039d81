/* SPDX-License-Identifier: ISC */
/* One wait or wait list can't mix events of two contexts. */
#include "conformance/traps/traps.h"

void
wait_contexts(void)
{
	cl_context second;
	cl_event e[2], none = NULL;
	cl_int code;

	open_device();
	second = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	must(code, "clCreateContext");
	e[0] = gate_new();
	e[1] = clCreateUserEvent(second, &code);
	must(code, "clCreateUserEvent");
	say("wait: %d", clWaitForEvents(2, e));
	say("list: %d", clEnqueueMarkerWithWaitList(queue, 1, &e[1], &none));
	say("no event: %d", none == NULL);
	say("mixed list: %d", clEnqueueMarkerWithWaitList(queue, 2, e, &none));
	gate_open(e[0], CL_COMPLETE);
	gate_open(e[1], CL_COMPLETE);
	say("each: %d", clWaitForEvents(1, &e[0]));
	say("each: %d", clWaitForEvents(1, &e[1]));
}
