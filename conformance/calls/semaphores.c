/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

#include "conformance/calls/enqueue.h"

typedef cl_semaphore_khr create_function(cl_context, const cl_ulong *,
    cl_int *);
typedef cl_int release_function(cl_semaphore_khr);

static void *
function(struct world *w, const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(w->platform, name);
}

cl_semaphore_khr
semaphore_open(struct world *w, cl_context context)
{
	const cl_ulong list[] = { CL_SEMAPHORE_TYPE_KHR,
		CL_SEMAPHORE_TYPE_BINARY_KHR, 0 };
	create_function *f = (create_function *)function(w,
	    "clCreateSemaphoreWithPropertiesKHR");
	cl_semaphore_khr s = f(context, list, &w->err);

	must(w->err, "clCreateSemaphoreWithPropertiesKHR");
	return s;
}

void
semaphore_close(struct world *w, cl_semaphore_khr s)
{
	release_function *f = (release_function *)function(w,
	    "clReleaseSemaphoreKHR");

	must(f(s), "clReleaseSemaphoreKHR");
}

/* ---- the commands ------------------------------------------------------ */

static semaphores_function *command, *signal_command;

/* A wait is for a signal that was enqueued before, on the same queue. */
static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	cl_semaphore_khr s = semaphore_open(w, w->context);
	cl_int code = CL_SUCCESS;

	if (command != signal_command && q == w->queue)
		code = signal_command(q, 1, &s, NULL, 0, NULL, NULL);
	else if (command != signal_command)
		(void)signal_command(q, 1, &s, NULL, 0, NULL, NULL);
	if (code == CL_SUCCESS)
		code = command(q, 1, &s, NULL, n, list, event);
	semaphore_close(w, s);
	return code;
}

static void
semaphore_lists(struct world *w, cl_semaphore_khr own)
{
	const cl_semaphore_khr other = semaphore_open(w, w->other_context);
	const cl_semaphore_khr none[] = { own, NULL };
	const cl_semaphore_khr wrong[] = { own,
		(cl_semaphore_khr)world_other(w, "cl_semaphore_khr") };
	const cl_semaphore_khr mixed[] = { own, other };

	WANT_EVENT(w, "no semaphores", command(w->queue, 0, &own, NULL, 0,
	    NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "semaphores nowhere", command(w->queue, 1, NULL, NULL,
	    0, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "a null semaphore", command(w->queue, 2, none, NULL, 0,
	    NULL, &w->done), CL_INVALID_SEMAPHORE_KHR);
	WANT_EVENT(w, "what is no semaphore", command(w->queue, 2, wrong,
	    NULL, 0, NULL, &w->done), CL_INVALID_SEMAPHORE_KHR);
	WANT_EVENT(w, "a semaphore of another context", command(w->queue, 2,
	    mixed, NULL, 0, NULL, &w->done), CL_INVALID_CONTEXT);
	semaphore_close(w, other);
}

void
semaphores_cases(struct world *w, semaphores_function *f,
    cl_command_type type, bool waits)
{
	cl_semaphore_khr s = semaphore_open(w, w->context);

	command = f;
	signal_command = waits ? (semaphores_function *)function(w,
	    "clEnqueueSignalSemaphoresKHR") : f;
	semaphore_lists(w, s);
	semaphore_close(w, s);
	enqueue_cases(w, &(struct enqueue){ .run = run, .type = type });
}
