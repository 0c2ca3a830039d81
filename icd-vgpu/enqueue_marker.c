/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/calls.h"
#include "icd-vgpu/command.h"

cl_int
icd_clEnqueueMarkerWithWaitList(cl_command_queue command_queue, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct command c;
	struct msg_clEnqueueMarkerWithWaitList m;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_MARKER }, n, list,
	    event);

	if (code != CL_SUCCESS)
		return code;
	m.command_queue.id = c.queue->o.id;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueMarkerWithWaitList, &m, NULL);
}

cl_int
icd_clEnqueueBarrierWithWaitList(cl_command_queue command_queue, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct command c;
	struct msg_clEnqueueBarrierWithWaitList m;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_BARRIER }, n, list,
	    event);

	if (code != CL_SUCCESS)
		return code;
	m.command_queue.id = c.queue->o.id;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueBarrierWithWaitList, &m, NULL);
}

cl_int
icd_clEnqueueMarker(cl_command_queue command_queue, cl_event *event)
{
	if (object_check(command_queue, OBJ_QUEUE) == NULL)
		return CL_INVALID_COMMAND_QUEUE;
	if (event == NULL)
		return CL_INVALID_VALUE;
	return icd_clEnqueueMarkerWithWaitList(command_queue, 0, NULL, event);
}

cl_int
icd_clEnqueueBarrier(cl_command_queue command_queue)
{
	return icd_clEnqueueBarrierWithWaitList(command_queue, 0, NULL, NULL);
}

cl_int
icd_clEnqueueWaitForEvents(cl_command_queue command_queue, cl_uint n,
    const cl_event *list)
{
	cl_int code;

	if (object_check(command_queue, OBJ_QUEUE) == NULL)
		return CL_INVALID_COMMAND_QUEUE;
	if (n == 0 || list == NULL)
		return CL_INVALID_VALUE;
	code = icd_clEnqueueBarrierWithWaitList(command_queue, n, list, NULL);
	return code == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : code;
}
