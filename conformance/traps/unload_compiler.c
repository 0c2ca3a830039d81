/* SPDX-License-Identifier: ISC */
/* Unloading the compiler changes nothing: kernels run, programs are built. */
#include "conformance/traps/traps.h"

void
unload_compiler(void)
{
	int x[4] = { 1, 2, 3, 4 };
	cl_kernel k;
	cl_event e;
	cl_mem m;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	say("unload: %d", clUnloadPlatformCompiler(platform));
	e = add_launch(queue, k, m, 10, 4, 0, NULL);
	say("null: %d", clUnloadPlatformCompiler(NULL));
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(x), x, 1, &e,
	    NULL), "clEnqueueReadBuffer");
	say("%d %d", x[0], x[3]);
	say("unload: %d", clUnloadPlatformCompiler(platform));
	say("again: %d", compute());
}
