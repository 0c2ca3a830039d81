/* SPDX-License-Identifier: ISC */
/*
 * scenario - a plain OpenCL program that does one thing at a time, for the
 * regress tests.  It knows nothing of vgpu.
 *
 *	scenario launches N	launch N times, finish once, print the sum
 *	scenario prints N	launch a kernel that prints, N times
 *	scenario spin		launch a kernel that takes minutes, finish
 *	scenario hold		make a context, wait for a line of input, launch
 *	scenario steady		launch 100 times and check, again and again,
 *				until there is input; a line for each time
 *	scenario silent		listen, print the port, never answer
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/regress/open.h"

static const char source[] =
    "__kernel void add(__global int *sum, int n) { *sum += n; }\n"
    "__kernel void print(int n) {\n"
    "	printf(\"kernel %d of launch %d\\n\", (int)get_global_id(0), n);\n"
    "}\n"
    "__kernel void spin(__global int *x) {\n"
    "	volatile __global int *p = x;\n"
    "	for (long i = 0; i < 1000000000000L; i++) *p = *p + 1;\n"
    "}\n";

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffer;

static void
open_all(void)
{
	cl_device_id device = open_device();

	context = open_context(device);
	queue = open_queue(context, device, 0);
	buffer = open_buffer(context, sizeof(cl_int));
	program = open_program(context, source);
}

static void
launch(cl_kernel kernel, size_t n)
{
	const size_t one = 1;

	check("launch", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n,
	    &one, 0, NULL, NULL));
}

static void
run_launches(int n)
{
	cl_kernel kernel = open_kernel(program, "add");
	cl_int i, sum = 0;

	check("write", clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0,
	    sizeof(sum), &sum, 0, NULL, NULL));
	check("arg", clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
	for (i = 1; i <= n; i++) {
		check("arg", clSetKernelArg(kernel, 1, sizeof(i), &i));
		launch(kernel, 1);
	}
	check("finish", clFinish(queue));
	check("read", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0,
	    sizeof(sum), &sum, 0, NULL, NULL));
	printf("sum %d\n", sum);
}

static void
run_prints(int n)
{
	cl_kernel kernel = open_kernel(program, "print");
	cl_int i;

	for (i = 0; i < n; i++) {
		check("arg", clSetKernelArg(kernel, 0, sizeof(i), &i));
		launch(kernel, 2);
		check("finish", clFinish(queue));
		printf("finished %d\n", i);
		fflush(stdout);
	}
}

static void
run_spin(void)
{
	cl_kernel kernel = open_kernel(program, "spin");

	check("arg", clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
	launch(kernel, 1);
	check("flush", clFlush(queue));
	printf("running\n");
	fflush(stdout);
	check("finish", clFinish(queue));
	printf("finished\n");
}

static void
run_hold(void)
{
	char line[16];

	printf("ready\n");
	fflush(stdout);
	if (fgets(line, sizeof(line), stdin) != NULL)
		run_launches(10);
}

static void
run_steady(void)
{
	struct pollfd input = { STDIN_FILENO, POLLIN, 0 };

	while (poll(&input, 1, 0) == 0) {
		run_launches(100);
		fflush(stdout);
	}
	printf("steady to the end\n");
}

static void
run_silent(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, n) != 0 ||
	    listen(fd, 5) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &n) != 0)
		exit(1);
	printf("%d\n", ntohs(a.sin_port));
	fflush(stdout);
	pause();
}

/* Write n MiB to a buffer, read them, and see that they are the same. */
static void
run_bulk(const char *kind, size_t n)
{
	size_t size = n << 20, i;
	unsigned char *there = malloc(size), *back = malloc(size);
	unsigned long long state = 1;
	cl_mem b;

	for (i = 0; i < size; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		there[i] = kind[0] == 'z' ? 0 : kind[0] == 'n' ?
		    (unsigned char)(state >> 56) :
		    (unsigned char)"much the same again and again. "
		    [i % 31 ^ (i / 4096 & 1)];
	}
	b = open_buffer(context, size);
	check("write", clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, size, there,
	    0, NULL, NULL));
	check("read", clEnqueueReadBuffer(queue, b, CL_TRUE, 0, size, back, 0,
	    NULL, NULL));
	printf("%s\n", memcmp(there, back, size) == 0 ? "same" : "other");
	free(there);
	free(back);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 1;

	if (strcmp(what, "silent") == 0) {
		run_silent();
		return 0;
	}
	open_all();
	if (strcmp(what, "launches") == 0)
		run_launches(n);
	else if (strcmp(what, "zeros") == 0 || strcmp(what, "noise") == 0 ||
	    strcmp(what, "text") == 0)
		run_bulk(what, (size_t)n);
	else if (strcmp(what, "prints") == 0)
		run_prints(n);
	else if (strcmp(what, "spin") == 0)
		run_spin();
	else if (strcmp(what, "steady") == 0)
		run_steady();
	else if (strcmp(what, "hold") == 0)
		run_hold();
	else
		return 2;
	return 0;
}
