/* SPDX-License-Identifier: ISC */
/* A build log of many MB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/traps/traps.h"

#define WARNINGS 13000
#define LINE 4096

static char *
source_new(void)
{
	char *s = get((size_t)WARNINGS * LINE + 4096), *p = s;
	int i, n;

	for (i = 0; i < WARNINGS; i++) {
		n = sprintf(p, "#warning %d ", i);
		memset(p + n, 'w', (size_t)(LINE - n - 1));
		p[LINE - 1] = '\n';
		p += LINE;
	}
	sprintf(p, "kernel void k(global int *p) { *p = 1; }\n");
	return s;
}

void
big_log(void)
{
	const char *s = source_new();
	cl_program p;
	cl_int code;
	size_t n = 0, got;
	char *log;

	open_device();
	p = clCreateProgramWithSource(context, 1, &s, NULL, &code);
	must(code, "clCreateProgramWithSource");
	say("build: %d", clBuildProgram(p, 1, &device, "", NULL, NULL));
	must(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
	    &n), "CL_PROGRAM_BUILD_LOG");
	log = get(n + 1);
	must(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, n, log,
	    &got), "CL_PROGRAM_BUILD_LOG");
	say("%zu MB", n >> 20);
	say("ends with its length: %d", strlen(log) + 1 == n && got == n);
	say("has the first: %d", strstr(log, "0 wwwww") != NULL);
	say("has the last: %d", strstr(log, "12999 wwwww") != NULL);
}
