/* SPDX-License-Identifier: ISC */
#include "conformance/calls/mutable.h"

typedef cl_int function(RECORDER, cl_kernel, cl_uint, const size_t *,
    const size_t *, const size_t *, RECORDED);

mutable_command
mutable_record(struct world *w, command_buffer b)
{
	const cl_ulong list[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
		CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0 };
	function *f = (function *)clGetExtensionFunctionAddressForPlatform(
	    w->platform, "clCommandNDRangeKernelKHR");
	const size_t n = 16;
	const cl_int one = 1;
	cl_kernel k = world_kernel(w);
	mutable_command m = NULL;

	must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer), "arg 0");
	must(clSetKernelArg(k, 1, sizeof(one), &one), "arg 1");
	must(clSetKernelArg(k, 2, 16, NULL), "arg 2");
	must(f(b, NULL, list, k, 1, NULL, &n, NULL, 0, NULL, NULL, &m),
	    "clCommandNDRangeKernelKHR");
	return m;
}
