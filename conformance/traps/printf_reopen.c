/* SPDX-License-Identifier: ISC */
/*
 * What a kernel prints is in the file that is standard output, whatever that is
 * by then, when the wait returns; the program's own lines keep their places.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

static const char source[] =
    "kernel void tell(int n)\n"
    "{\n"
    "	printf(\"kernel %d\\n\", n);\n"
    "}\n";

static void
launch(cl_kernel k, cl_int n, cl_event *e)
{
	const size_t one = 1;

	must(clSetKernelArg(k, 0, sizeof(n), &n), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, e),
	    "clEnqueueNDRangeKernel");
}

/* What the file has now. */
static void
take(const char *when, FILE *to, const char *name)
{
	char text[256];
	FILE *f = fopen(name, "r");
	size_t n = f != NULL ? fread(text, 1, sizeof(text) - 1, f) : 0;

	text[n] = '\0';
	fprintf(to, "%s: %s", when, text);
	if (f != NULL)
		fclose(f);
}

void
printf_reopen(void)
{
	char name[] = "/tmp/trap-XXXXXX";
	int saved, fd = mkstemp(name), x[4];
	cl_kernel k;
	cl_event e;
	cl_mem m;
	FILE *to;

	open_device();
	k = kernel_new(source, "tell");
	m = buffer_new(sizeof(x), NULL);
	saved = dup(STDOUT_FILENO);
	if (fd < 0 || saved < 0 || (to = fdopen(saved, "w")) == NULL ||
	    freopen(name, "w", stdout) == NULL)
		die("no file");
	printf("before\n");
	fflush(stdout);
	launch(k, 1, NULL);
	must(clFinish(queue), "clFinish");
	take("finish", to, name);
	launch(k, 2, &e);
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	take("wait", to, name);
	launch(k, 3, NULL);
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(x), x, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	take("read", to, name);
	launch(k, 4, &e);
	must(clFlush(queue), "clFlush");
	poll_end(e);
	take("poll", to, name);
	fclose(to);
	close(fd);
	unlink(name);
}
