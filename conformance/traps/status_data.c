/* SPDX-License-Identifier: ISC */
/*
 * An event that is polled, without a flush and without a wait, ends, and not
 * before the data is there.
 */
#include <string.h>

#include "conformance/traps/traps.h"

#define LARGE ((size_t)4 << 20)

static void
read_and_poll(cl_mem m, char *to, size_t n, int value)
{
	cl_event e;
	cl_int status;
	size_t i;

	memset(to, 0, n);
	must(clEnqueueReadBuffer(queue, m, CL_FALSE, 0, n, to, 0, NULL, &e),
	    "clEnqueueReadBuffer");
	if ((status = poll_end(e)) != CL_COMPLETE)
		say("%zu bytes: status %d", n, status);
	/* From the end on, which comes last. */
	for (i = n; i-- > 0;)
		if (to[i] != value)
			break;
	if (i < n)
		say("%zu bytes: complete without byte %zu", n, i);
	must(clReleaseEvent(e), "clReleaseEvent");
}

void
status_data(void)
{
	static const size_t size[] = { 1, 4000, 65536, 65537, 300000, LARGE };
	char *x = get(LARGE), *y = get(LARGE);
	cl_event e;
	cl_mem m;
	size_t i;
	int round;

	open_device();
	m = buffer_new(LARGE, NULL);
	for (i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		for (round = 1; round <= 10; round++) {
			memset(x, round, size[i]);
			must(clEnqueueWriteBuffer(queue, m, CL_FALSE, 0,
			    size[i], x, 0, NULL, &e), "clEnqueueWriteBuffer");
			read_and_poll(m, y, size[i], round);
			must(clReleaseEvent(e), "clReleaseEvent");
		}
		say("%zu bytes done", size[i]);
	}
}
