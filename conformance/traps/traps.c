/* SPDX-License-Identifier: ISC */
#include "conformance/traps/traps.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*run)(void);
} traps[] = {
#define TRAP(name) { #name, name },
#include "conformance/traps/table.h"
#undef TRAP
};

#define TRAP_COUNT (sizeof(traps) / sizeof(traps[0]))
#define PATIENCE_MS 20000

cl_platform_id platform;
cl_device_id device;
cl_context context;
cl_command_queue queue;

const char add_source[] =
    "kernel void add(global int *p, int n)\n"
    "{\n"
    "	p[get_global_id(0)] += n;\n"
    "}\n";

/* ---- lines and ends ---------------------------------------------------- */

void
say(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
}

void
die(const char *what)
{
	say("%s", what);
	_exit(1);
}

void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	say("%s: %d", what, code);
	_exit(1);
}

void *
get(size_t n)
{
	void *p = aligned_alloc(4096, (n + 4095) / 4096 * 4096);

	if (p == NULL)
		die("no memory");
	return p;
}

/* ---- objects ----------------------------------------------------------- */

void
open_device(void)
{
	cl_int code;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	must(code, "clCreateContext");
	queue = queue_new(0);
}

void
close_device(void)
{
	must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	must(clReleaseContext(context), "clReleaseContext");
}

cl_command_queue
queue_new(cl_command_queue_properties properties)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties,
		0 };
	cl_command_queue q;
	cl_int code;

	q = clCreateCommandQueueWithProperties(context, device, list, &code);
	must(code, "clCreateCommandQueueWithProperties");
	return q;
}

cl_mem
buffer_new(size_t n, const void *content)
{
	cl_mem_flags flags = CL_MEM_READ_WRITE;
	cl_mem m;
	cl_int code;

	if (content != NULL)
		flags |= CL_MEM_COPY_HOST_PTR;
	m = clCreateBuffer(context, flags, n, (void *)(size_t)content, &code);
	must(code, "clCreateBuffer");
	return m;
}

cl_program
program_new(const char *source, const char *options)
{
	cl_program p;
	cl_int code;

	p = clCreateProgramWithSource(context, 1, &source, NULL, &code);
	must(code, "clCreateProgramWithSource");
	must(clBuildProgram(p, 1, &device, options, NULL, NULL),
	    "clBuildProgram");
	return p;
}

cl_kernel
kernel_new(const char *source, const char *name)
{
	cl_program p = program_new(source, "");
	cl_kernel k;
	cl_int code;

	k = clCreateKernel(p, name, &code);
	must(code, "clCreateKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
	return k;
}

cl_program
program_again(cl_program p)
{
	const unsigned char *list[1];
	unsigned char *bytes;
	size_t n;
	cl_int status, code;
	cl_program again;

	must(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(n), &n,
	    NULL), "CL_PROGRAM_BINARY_SIZES");
	bytes = get(n);
	must(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(bytes),
	    (void *)&bytes, NULL), "CL_PROGRAM_BINARIES");
	must(clReleaseProgram(p), "clReleaseProgram");
	list[0] = bytes;
	again = clCreateProgramWithBinary(context, 1, &device, &n, list,
	    &status, &code);
	must(code, "clCreateProgramWithBinary");
	must(status, "binary_status");
	free(bytes);
	must(clBuildProgram(again, 1, &device, "", NULL, NULL),
	    "clBuildProgram");
	return again;
}

cl_event
add_launch(cl_command_queue q, cl_kernel k, cl_mem m, cl_int amount, size_t n,
    cl_uint waits, const cl_event *wait)
{
	cl_event e;

	must(clSetKernelArg(k, 0, sizeof(m), &m), "clSetKernelArg");
	must(clSetKernelArg(k, 1, sizeof(amount), &amount), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, waits, wait, &e),
	    "clEnqueueNDRangeKernel");
	return e;
}

/* ---- events ------------------------------------------------------------ */

cl_event
gate_new(void)
{
	cl_int code;
	cl_event e = clCreateUserEvent(context, &code);

	must(code, "clCreateUserEvent");
	return e;
}

void
gate_open(cl_event gate, cl_int status)
{
	must(clSetUserEventStatus(gate, status), "clSetUserEventStatus");
}

struct later {
	cl_event gate;
	cl_int status;
};

static void *
open_later(void *arg)
{
	struct later *l = arg;

	/* By then the first thread waits, almost always. */
	usleep(100000);
	gate_open(l->gate, l->status);
	free(l);
	return NULL;
}

void
gate_open_later(cl_event gate, cl_int status)
{
	struct later *l = get(sizeof(*l));
	pthread_t thread;

	*l = (struct later){ gate, status };
	if (pthread_create(&thread, NULL, open_later, l) != 0)
		die("no thread");
	pthread_detach(thread);
}

cl_int
status_of(cl_event e)
{
	cl_int status;

	must(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL), "clGetEventInfo");
	return status;
}

static int
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int)(t.tv_sec % 1000000 * 1000 + t.tv_nsec / 1000000);
}

cl_int
poll_end(cl_event e)
{
	int start = now_ms();
	cl_int status;

	while ((status = status_of(e)) > CL_COMPLETE &&
	    now_ms() - start < PATIENCE_MS)
		usleep(20);
	return status;
}

bool
reaches(const _Atomic int *n, int value)
{
	int start = now_ms();

	while (*n < value && now_ms() - start < PATIENCE_MS)
		usleep(100);
	return *n >= value;
}

/* ---- processes --------------------------------------------------------- */

int
fork_now(void)
{
	pid_t pid;

	fflush(stdout);
	if ((pid = fork()) < 0)
		die("no process");
	return pid;
}

void
say_end(const char *who, int pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		say("%s: not there", who);
	else if (WIFSIGNALED(status))
		say("%s: signal %d", who, WTERMSIG(status));
	else
		say("%s: exit status %d", who, WEXITSTATUS(status));
}

int
compute(void)
{
	int x[256], y[256], i;
	cl_kernel k;
	cl_event e;
	cl_mem m;

	open_device();
	for (i = 0; i < 256; i++)
		x[i] = i;
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	e = add_launch(queue, k, m, 4711, 256, 0, NULL);
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(y), y, 1, &e,
	    NULL), "clEnqueueReadBuffer");
	must(clReleaseEvent(e), "clReleaseEvent");
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clReleaseKernel(k), "clReleaseKernel");
	close_device();
	for (i = 0; i < 256; i++)
		if (y[i] != i + 4711)
			return 2;
	return 0;
}

int
main(int argc, char **argv)
{
	size_t i;

	if (argc != 2) {
		fprintf(stderr, "usage: traps -l | traps NAME\n");
		return 2;
	}
	for (i = 0; i < TRAP_COUNT; i++) {
		if (strcmp(argv[1], "-l") == 0) {
			puts(traps[i].name);
		} else if (strcmp(argv[1], traps[i].name) == 0) {
			traps[i].run();
			return 0;
		}
	}
	if (strcmp(argv[1], "-l") == 0)
		return 0;
	fprintf(stderr, "traps: %s: no such trap\n", argv[1]);
	return 2;
}
