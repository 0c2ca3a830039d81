/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

typedef cl_int function(cl_semaphore_khr, cl_uint, size_t, void *, size_t *);

static function *call;

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return call(object, param, size, value, size_ret);
}

static cl_ulong
payload(cl_semaphore_khr s)
{
	cl_ulong p = 77;

	must(call(s, CL_SEMAPHORE_PAYLOAD_KHR, sizeof(p), &p, NULL),
	    "CL_SEMAPHORE_PAYLOAD_KHR");
	return p;
}

static void
goes_on(struct world *w, const char *name, cl_semaphore_khr s)
{
	semaphores_function *f = (semaphores_function *)
	    clGetExtensionFunctionAddressForPlatform(w->platform, name);

	must(f(w->queue, 1, &s, NULL, 0, NULL, NULL), name);
	must(clFinish(w->queue), "clFinish");
}

void
check_clGetSemaphoreInfoKHR(struct world *w)
{
	cl_context context = NULL;
	cl_semaphore_khr s;

	call = (function *)extension(w, SEMAPHORES, "clGetSemaphoreInfoKHR");
	if (call == NULL)
		return;
	s = semaphore_open(w, w->context);
	query_cases(w, &(struct query){ .ask = ask, .object = s,
	    .type = "cl_semaphore_khr",
	    .no_object = CL_INVALID_SEMAPHORE_KHR,
	    .param = CL_SEMAPHORE_TYPE_KHR, .size = sizeof(cl_uint) });
	WANT(w, "context", call(s, CL_SEMAPHORE_CONTEXT_KHR, sizeof(context),
	    &context, NULL), CL_SUCCESS);
	IS(w, "its context", context == w->context);
	IS(w, "a new one is not signaled", payload(s) == 0);
	goes_on(w, "clEnqueueSignalSemaphoresKHR", s);
	IS(w, "it is signaled", payload(s) == 1);
	goes_on(w, "clEnqueueWaitSemaphoresKHR", s);
	IS(w, "a wait takes the signal", payload(s) == 0);
	semaphore_close(w, s);
}
