/* SPDX-License-Identifier: ISC */
/*
 * Times of a command are in order, are those of the moments when things
 * happened, and are known when the command is complete and not before.
 */
#include <unistd.h>

#include "conformance/traps/traps.h"

static const cl_profiling_info infos[] = { CL_PROFILING_COMMAND_QUEUED,
	CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
	CL_PROFILING_COMMAND_END };

static void
say_timers(cl_ulong before, cl_ulong queued, cl_ulong after)
{
	say("queued between the timers: %d", before <= queued &&
	    queued <= after);
}

void
profiling_stamps(void)
{
	int x[4] = { 1, 2, 3, 4 }, i;
	cl_command_queue q;
	cl_ulong t[4], before = 0, after = 0, host;
	cl_event gate, e;
	cl_int timers;
	cl_kernel k;
	cl_mem m;

	open_device();
	q = queue_new(CL_QUEUE_PROFILING_ENABLE);
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	gate = gate_new();
	timers = clGetDeviceAndHostTimer(device, &before, &host);
	e = add_launch(q, k, m, 1, 4, 1, &gate);
	must(clFlush(q), "clFlush");
	if (timers == CL_SUCCESS)
		must(clGetDeviceAndHostTimer(device, &after, &host), "timer");
	usleep(100000);
	say("not yet: %d", clGetEventProfilingInfo(e, infos[3], sizeof(*t), t,
	    NULL));
	gate_open(gate, CL_COMPLETE);
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	for (i = 0; i < 4; i++)
		must(clGetEventProfilingInfo(e, infos[i], sizeof(*t), &t[i],
		    NULL), "clGetEventProfilingInfo");
	say("in order: %d", t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3]);
	/* The commands may take some time to the device. */
	say("the gate's time is in it: %d", t[3] - t[0] >= 50000000);
	if (timers == CL_SUCCESS)
		say_timers(before, t[0], after);
	say("of a user event: %d", clGetEventProfilingInfo(gate, infos[0],
	    sizeof(*t), t, NULL));
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e), "marker");
	must(clFinish(queue), "clFinish");
	say("without profiling: %d", clGetEventProfilingInfo(e, infos[0],
	    sizeof(*t), t, NULL));
}
