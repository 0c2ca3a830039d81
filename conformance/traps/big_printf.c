/* SPDX-License-Identifier: ISC */
/* A kernel prints 100 MB, to a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

#define ITEMS 1000
#define LINES 100

static const char source[] =
    "kernel void tell(int from)\n"
    "{\n"
    "	for (int i = 0; i < 100; i++)\n"
    "		printf(\"%1000d\\n\", from + i);\n"
    "}\n";

/* Lines and their sum, of whole and right ones. */
static void
check(FILE *f, FILE *to)
{
	char line[2048];
	long long lines = 0, sum = 0, odd = 0;

	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		odd += strlen(line) != 1001;
		lines++;
		sum += atoi(line);
	}
	fprintf(to, "%lld lines, sum %lld, odd %lld\n", lines, sum, odd);
}

void
big_printf(void)
{
	char name[] = "/tmp/trap-XXXXXX";
	int fd = mkstemp(name), saved, i;
	const size_t one = 1;
	cl_kernel k;
	FILE *to, *f;

	open_device();
	k = kernel_new(source, "tell");
	saved = dup(STDOUT_FILENO);
	if (fd < 0 || saved < 0 || (to = fdopen(saved, "w")) == NULL ||
	    dup2(fd, STDOUT_FILENO) < 0 || (f = fdopen(fd, "r+")) == NULL)
		die("no file");
	unlink(name);
	for (i = 0; i < ITEMS; i++) {
		cl_int from = i * LINES;

		must(clSetKernelArg(k, 0, sizeof(from), &from),
		    "clSetKernelArg");
		must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0,
		    NULL, NULL), "clEnqueueNDRangeKernel");
	}
	must(clFinish(queue), "clFinish");
	check(f, to);
	fclose(to);
}
