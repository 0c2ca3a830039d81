/* SPDX-License-Identifier: ISC */
/*
 * Semaphores between two queues: a wait behind its signal, a wait before it,
 * the payload in between, and the codes of wrong calls.  Each line is what
 * tests/regress/semaphores.sh expects.
 */
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "protocol/khr.h"

static cl_semaphore_khr (*create)(cl_context, const cl_ulong *, cl_int *);
static cl_int (*wait_for)(cl_command_queue, cl_uint, const cl_semaphore_khr *,
    const cl_ulong *, cl_uint, const cl_event *, cl_event *);
static cl_int (*signal_all)(cl_command_queue, cl_uint,
    const cl_semaphore_khr *, const cl_ulong *, cl_uint, const cl_event *,
    cl_event *);
static cl_int (*info)(cl_semaphore_khr, cl_uint, size_t, void *, size_t *);
static cl_int (*release)(cl_semaphore_khr);

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue first, second;

static void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "semaphores: %s: OpenCL error %d\n", what, code);
	exit(1);
}

static void *
function(const char *name)
{
	void *f = clGetExtensionFunctionAddressForPlatform(platform, name);

	if (f != NULL)
		return f;
	fprintf(stderr, "semaphores: no %s\n", name);
	exit(1);
}

static void
open_device(void)
{
	cl_int code;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	must(code, "clCreateContext");
	first = clCreateCommandQueueWithProperties(context, device, NULL,
	    &code);
	must(code, "clCreateCommandQueueWithProperties");
	second = clCreateCommandQueueWithProperties(context, device, NULL,
	    &code);
	must(code, "clCreateCommandQueueWithProperties");
	*(void **)&create = function("clCreateSemaphoreWithPropertiesKHR");
	*(void **)&wait_for = function("clEnqueueWaitSemaphoresKHR");
	*(void **)&signal_all = function("clEnqueueSignalSemaphoresKHR");
	*(void **)&info = function("clGetSemaphoreInfoKHR");
	*(void **)&release = function("clReleaseSemaphoreKHR");
}

static cl_semaphore_khr
semaphore(void)
{
	const cl_ulong list[] = { CL_SEMAPHORE_TYPE_KHR,
		CL_SEMAPHORE_TYPE_BINARY_KHR, 0 };
	cl_semaphore_khr s;
	cl_int code;

	s = create(context, list, &code);
	must(code, "clCreateSemaphoreWithPropertiesKHR");
	return s;
}

static unsigned long
payload(cl_semaphore_khr s)
{
	cl_ulong v = 99;

	must(info(s, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(v), &v, NULL),
	    "clGetSemaphoreInfoKHR");
	return v;
}

static const char *
state(cl_event e)
{
	cl_int status;

	must(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL), "clGetEventInfo");
	return status > 0 ? "waits" : status == 0 ? "complete" : "failed";
}

/* The signal waits for a user event; early: it comes after the wait. */
static void
pair(bool early, cl_int status)
{
	cl_semaphore_khr s = semaphore();
	cl_event gate, signalled = NULL, waited = NULL;
	cl_int code;

	gate = clCreateUserEvent(context, &code);
	must(code, "clCreateUserEvent");
	printf("payload %lu\n", payload(s));
	if (early)
		must(wait_for(second, 1, &s, NULL, 0, NULL, &waited), "wait");
	must(signal_all(first, 1, &s, NULL, 1, &gate, &signalled), "signal");
	if (!early)
		must(wait_for(second, 1, &s, NULL, 0, NULL, &waited), "wait");
	must(clFlush(first), "clFlush");
	must(clFlush(second), "clFlush");
	printf("signal %s, wait %s\n", state(signalled), state(waited));
	must(clSetUserEventStatus(gate, status), "clSetUserEventStatus");
	clWaitForEvents(1, &signalled);
	clWaitForEvents(1, &waited);
	printf("signal %s, wait %s, payload %lu\n", state(signalled),
	    state(waited), payload(s));
	if (status == CL_COMPLETE) {
		must(signal_all(second, 1, &s, NULL, 0, NULL, NULL),
		    "signal");
		must(clFinish(second), "clFinish");
		printf("again: payload %lu\n", payload(s));
	}
	clReleaseEvent(gate);
	clReleaseEvent(signalled);
	clReleaseEvent(waited);
	must(release(s), "clReleaseSemaphoreKHR");
}

static void
codes(void)
{
	const cl_ulong untyped[] = { 0 }, wrong[] = { CL_SEMAPHORE_TYPE_KHR,
		77, 0 };
	const cl_semaphore_khr none = NULL;
	cl_semaphore_khr s = semaphore();
	cl_int code;

	create(NULL, untyped, &code);
	printf("no context: %d\n", code);
	create(context, NULL, &code);
	printf("no properties: %d\n", code);
	create(context, untyped, &code);
	printf("no type: %d\n", code);
	create(context, wrong, &code);
	printf("wrong type: %d\n", code);
	printf("no queue: %d\n", signal_all(NULL, 1, &s, NULL, 0, NULL, NULL));
	printf("no semaphores: %d\n", signal_all(first, 0, &s, NULL, 0, NULL,
	    NULL));
	printf("null semaphore: %d\n", wait_for(first, 1, &none, NULL, 0,
	    NULL, NULL));
	printf("events without a list: %d\n", wait_for(first, 1, &s, NULL, 1,
	    NULL, NULL));
	printf("unknown query: %d\n", info(s, 0x1234, 0, NULL, NULL));
	printf("released: %d\n", release(s));
}

int
main(void)
{
	open_device();
	pair(false, CL_COMPLETE);
	pair(true, CL_COMPLETE);
	pair(true, -5);
	codes();
	return 0;
}
