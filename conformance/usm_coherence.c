/* SPDX-License-Identifier: ISC */
#include "conformance/usm.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 5000
#define NODES 50

/* A list through allocations of all kinds, which kernels follow. */
struct node {
	struct node *next;
	cl_uint value, pad;
};

static const char source[] =
    "struct node { global struct node *next; uint value, pad; };\n"
    "kernel void add(global uint *p, uint n)\n"
    "{ p[get_global_id(0)] += n; }\n"
    "kernel void odd(global uint *p, uint n)\n"
    "{ p[2 * get_global_id(0) + 1] = n + (uint)get_global_id(0); }\n"
    "kernel void follow(global struct node *n, uint add)\n"
    "{ for (; n; n = n->next) n->value += add; }\n";

static cl_program program;

static cl_kernel
kernel(const char *name, const void *p, cl_uint n)
{
	cl_int e;
	cl_kernel k = clCreateKernel(program, name, &e);

	must(e, name);
	must(set_pointer(k, 0, p), "clSetKernelArgMemPointerINTEL");
	must(clSetKernelArg(k, 1, sizeof(n), &n), "clSetKernelArg");
	return k;
}

static void
launch(cl_command_queue q, cl_kernel k, size_t n, cl_event *event)
{
	must(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, event),
	    "clEnqueueNDRangeKernel");
}

static void
count(cl_uint *p)
{
	cl_uint i;

	for (i = 0; i < N; i++)
		p[i] = i;
}

/* Program and kernel write in turn; each way of learning of the end. */
static void
in_turn(cl_uint type, const char *name)
{
	cl_uint *p = get(type, N * sizeof(*p));
	cl_kernel k = kernel("add", p, 3);
	cl_int status;
	cl_event event;
	char what[64];

	count(p);
	launch(queue, k, N, NULL);
	must(clFinish(queue), "clFinish");
	snprintf(what, sizeof(what), "%s: finished", name);
	line(what, p, N * sizeof(*p));
	p[17] = 1000;
	launch(queue, k, N, &event);
	must(clWaitForEvents(1, &event), "clWaitForEvents");
	must(clReleaseEvent(event), "clReleaseEvent");
	snprintf(what, sizeof(what), "%s: waited for", name);
	line(what, p, N * sizeof(*p));
	p[N - 1] = 0;
	launch(queue, k, N, &event);
	must(clFlush(queue), "clFlush");
	do {
		sched_yield();
		must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		    sizeof(status), &status, NULL), "clGetEventInfo");
	} while (status > CL_COMPLETE);
	must(clReleaseEvent(event), "clReleaseEvent");
	snprintf(what, sizeof(what), "%s: polled", name);
	line(what, p, N * sizeof(*p));
	must(clReleaseKernel(k), "clReleaseKernel");
	must(mem_blocking_free(context, p), "clMemBlockingFreeINTEL");
}

/* While a kernel is held back, the program writes what it will not. */
static void
beside(void)
{
	cl_uint *p = get(CL_MEM_TYPE_SHARED_INTEL, N * sizeof(*p)), i;
	cl_kernel k = kernel("odd", p, 70000);
	const size_t half = N / 2;
	cl_event start, end;
	cl_int e;

	count(p);
	start = clCreateUserEvent(context, &e);
	must(e, "clCreateUserEvent");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &half, NULL, 1, &start,
	    &end), "clEnqueueNDRangeKernel");
	for (i = 0; i < N; i += 2)
		p[i] = i * i;
	must(clSetUserEventStatus(start, CL_COMPLETE),
	    "clSetUserEventStatus");
	must(clWaitForEvents(1, &end), "clWaitForEvents");
	line("beside a kernel", p, N * sizeof(*p));
	must(clReleaseEvent(start), "clReleaseEvent");
	must(clReleaseEvent(end), "clReleaseEvent");
	must(clReleaseKernel(k), "clReleaseKernel");
	must(mem_free(context, p), "clMemFreeINTEL");
}

struct seen {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	const cl_uint *p;
	int done;
};

static void CL_CALLBACK
look(cl_event event, cl_int status, void *arg)
{
	struct seen *s = arg;

	(void)event;
	printf("callback: %d\n", status);
	line("in a callback", s->p, N * sizeof(*s->p));
	pthread_mutex_lock(&s->lock);
	s->done = 1;
	pthread_cond_signal(&s->cond);
	pthread_mutex_unlock(&s->lock);
}

static void
in_callback(void)
{
	cl_uint *p = get(CL_MEM_TYPE_HOST_INTEL, N * sizeof(*p));
	struct seen s = { PTHREAD_MUTEX_INITIALIZER,
		PTHREAD_COND_INITIALIZER, p, 0 };
	cl_kernel k = kernel("add", p, 9);
	cl_event event;

	count(p);
	launch(queue, k, N, &event);
	must(clSetEventCallback(event, CL_COMPLETE, look, &s),
	    "clSetEventCallback");
	must(clFlush(queue), "clFlush");
	pthread_mutex_lock(&s.lock);
	while (!s.done)
		pthread_cond_wait(&s.cond, &s.lock);
	pthread_mutex_unlock(&s.lock);
	must(clReleaseEvent(event), "clReleaseEvent");
	must(clReleaseKernel(k), "clReleaseKernel");
	must(mem_free(context, p), "clMemFreeINTEL");
}

/* Nodes that no argument names. */
static void
indirect(int pointers)
{
	static const cl_uint kinds[] = { CL_MEM_TYPE_HOST_INTEL,
		CL_MEM_TYPE_SHARED_INTEL };
	const cl_bool yes = CL_TRUE;
	struct node *node[NODES], *before = NULL;
	cl_uint values[NODES];
	cl_kernel k;
	int i;

	for (i = 0; i < NODES; i++) {
		node[i] = get(kinds[i % 2], sizeof(*node[i]));
		node[i]->next = before;
		node[i]->value = (cl_uint)i;
		before = node[i];
	}
	k = kernel("follow", before, 100);
	/* Intel's CPU runtime wants the kinds told, too. */
	if (pointers)
		must(clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
		    sizeof(node), node), "clSetKernelExecInfo");
	must(clSetKernelExecInfo(k,
	    CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof(yes),
	    &yes), "clSetKernelExecInfo");
	must(clSetKernelExecInfo(k,
	    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(yes),
	    &yes), "clSetKernelExecInfo");
	must(clSetKernelExecInfo(k,
	    CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof(yes),
	    &yes), "clSetKernelExecInfo");
	launch(queue, k, 1, NULL);
	launch(queue, k, 1, NULL);
	must(clFinish(queue), "clFinish");
	for (i = 0; i < NODES; i++)
		values[i] = node[i]->value;
	line(pointers ? "pointers and kinds told" : "kinds told", values,
	    sizeof(values));
	must(clReleaseKernel(k), "clReleaseKernel");
	for (i = 0; i < NODES; i++)
		must(mem_blocking_free(context, node[i]),
		    "clMemBlockingFreeINTEL");
}

/* Commands without order, whose ends are known by a marker's. */
static void
without_order(void)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	cl_uint *p[8];
	cl_kernel k[8];
	cl_command_queue q;
	cl_event end;
	cl_int e;
	int i;

	q = clCreateCommandQueueWithProperties(context, device, list, &e);
	must(e, "clCreateCommandQueueWithProperties");
	for (i = 0; i < 8; i++) {
		p[i] = get(CL_MEM_TYPE_SHARED_INTEL, N * sizeof(*p[i]));
		count(p[i]);
		k[i] = kernel("add", p[i], (cl_uint)i);
		launch(q, k[i], N, NULL);
	}
	must(clEnqueueMarkerWithWaitList(q, 0, NULL, &end),
	    "clEnqueueMarkerWithWaitList");
	must(clWaitForEvents(1, &end), "clWaitForEvents");
	for (i = 0; i < 8; i++) {
		line("without order", p[i], N * sizeof(*p[i]));
		must(clReleaseKernel(k[i]), "clReleaseKernel");
	}
	must(clReleaseEvent(end), "clReleaseEvent");
	must(clFinish(q), "clFinish");
	for (i = 0; i < 8; i++)
		must(mem_free(context, p[i]), "clMemFreeINTEL");
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
}

/* More than goes into one portion, and hardly any of it. */
static void
large(void)
{
	const size_t n = (size_t)10 << 20;
	cl_uint *p = get(CL_MEM_TYPE_SHARED_INTEL, n);
	cl_kernel k = kernel("add", p, 5);
	size_t i;

	for (i = 0; i < n / sizeof(*p); i++)
		p[i] = (cl_uint)i;
	launch(queue, k, n / sizeof(*p), NULL);
	must(clFinish(queue), "clFinish");
	line("large", p, n);
	p[12345] = 0;
	launch(queue, k, 20000, NULL);
	must(clFinish(queue), "clFinish");
	line("large, a little of it", p, n);
	must(clReleaseKernel(k), "clReleaseKernel");
	must(mem_free(context, p), "clMemFreeINTEL");
}

void
usm_coherence(void)
{
	const char *text = source;
	cl_int e;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL),
	    "clBuildProgram");
	in_turn(CL_MEM_TYPE_HOST_INTEL, "host");
	in_turn(CL_MEM_TYPE_SHARED_INTEL, "shared");
	beside();
	in_callback();
	indirect(0);
	indirect(1);
	without_order();
	large();
	must(clReleaseProgram(program), "clReleaseProgram");
}
