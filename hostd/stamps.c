/* SPDX-License-Identifier: ISC */
#include "hostd/stamps.h"

#include "hostd/member.h"

/* Many commands begin with the first of them. */
static void
read_beginnings(const struct vevent *e, cl_ulong stamp[STAMPS])
{
	cl_ulong t;
	unsigned i, k;

	for (k = 0; k < e->part_count; k++)
		for (i = 0; i < 3; i++)
			if (clGetEventProfilingInfo(e->parts[k],
			    CL_PROFILING_COMMAND_QUEUED + i, sizeof(t), &t,
			    NULL) == CL_SUCCESS && t < stamp[i])
				stamp[i] = t;
}

bool
stamps_read(const struct vevent *e, cl_ulong stamp[STAMPS])
{
	unsigned i;

	for (i = 0; i < STAMPS - 1; i++)
		if (clGetEventProfilingInfo(native(e, e->member),
		    CL_PROFILING_COMMAND_QUEUED + i, sizeof(*stamp), &stamp[i],
		    NULL) != CL_SUCCESS)
			return false;
	/* CL_PROFILING_COMMAND_COMPLETE is of OpenCL 2.0. */
	if (clGetEventProfilingInfo(native(e, e->member),
	    CL_PROFILING_COMMAND_COMPLETE, sizeof(*stamp), &stamp[i], NULL) !=
	    CL_SUCCESS)
		stamp[i] = stamp[i - 1];
	read_beginnings(e, stamp);
	stamp[0] -= e->lag < stamp[0] ? e->lag : 0;
	if (context_is_mixed(e->context))
		for (i = 0; i < STAMPS; i++)
			stamp[i] += (cl_ulong)
			    e->context->members[e->member].clock;
	return true;
}
