/* SPDX-License-Identifier: ISC */
/*
 * A buffer that is mapped once, never unmapped, and whose pointer is what other
 * buffers are read to and written from, to the program's end.
 */
#include "conformance/traps/traps.h"

#define N 100000
#define ROUNDS 30

void
mapped_target(void)
{
	cl_int code, *p, i, wrong = 0;
	cl_mem pinned, m;
	cl_event e;
	cl_kernel k;

	open_device();
	k = kernel_new(add_source, "add");
	pinned = clCreateBuffer(context, CL_MEM_READ_WRITE |
	    CL_MEM_ALLOC_HOST_PTR, N * sizeof(*p), NULL, &code);
	must(code, "clCreateBuffer");
	p = clEnqueueMapBuffer(queue, pinned, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, 0, N * sizeof(*p), 0, NULL, NULL, &code);
	must(code, "clEnqueueMapBuffer");
	for (i = 0; i < N; i++)
		p[i] = i;
	m = buffer_new(N * sizeof(*p), NULL);
	for (i = 1; i <= ROUNDS; i++) {
		must(clEnqueueWriteBuffer(queue, m, CL_FALSE, 0,
		    N * sizeof(*p), p, 0, NULL, NULL), "clEnqueueWriteBuffer");
		must(clReleaseEvent(add_launch(queue, k, m, 1, N, 0, NULL)),
		    "clReleaseEvent");
		must(clEnqueueReadBuffer(queue, m, CL_FALSE, 0, N * sizeof(*p),
		    p, 0, NULL, &e), "clEnqueueReadBuffer");
		must(clWaitForEvents(1, &e), "clWaitForEvents");
		must(clReleaseEvent(e), "clReleaseEvent");
		if (p[0] != i || p[N - 1] != N - 1 + i)
			wrong++;
	}
	say("wrong: %d", wrong);
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clReleaseMemObject(pinned), "clReleaseMemObject");
	close_device();
}
