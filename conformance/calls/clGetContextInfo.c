/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetContextInfo(object, param, size, value, size_ret);
}

void
check_clGetContextInfo(struct world *w)
{
	cl_device_id device = NULL;
	cl_uint n = 0;

	query_cases(w, &(struct query){ .ask = ask, .object = w->context,
	    .type = "cl_context", .no_object = CL_INVALID_CONTEXT,
	    .param = CL_CONTEXT_DEVICES, .size = sizeof(cl_device_id) });
	WANT(w, "devices", clGetContextInfo(w->context, CL_CONTEXT_DEVICES,
	    sizeof(device), &device, NULL), CL_SUCCESS);
	IS(w, "devices are those given", device == w->device);
	WANT(w, "number of devices", clGetContextInfo(w->context,
	    CL_CONTEXT_NUM_DEVICES, sizeof(n), &n, NULL), CL_SUCCESS);
	IS(w, "number of devices is one", n == 1);
}
