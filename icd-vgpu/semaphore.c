/* SPDX-License-Identifier: ISC */
/*
 * semaphore - cl_khr_semaphore, by events.
 *
 * A signal is a marker, and a wait is a marker behind the last signal's event;
 * the host knows nothing of semaphores, so they work between all queues of a
 * context.  A wait that comes before its signal is held by a user event, which
 * the signal's end sets.
 */
#include "icd-vgpu/calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/command.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

struct semaphore {
	struct object o;
	struct context *context;	/* a use */
	struct device *device;		/* a use, or NULL: all of the context's */
	cl_ulong *property;		/* as given, with the final 0 */
	size_t property_count;

	pthread_mutex_t lock;		/* of what follows: references */
	cl_event signal;		/* the last one's, or NULL */
	cl_event wait;			/* of the wait after it, or NULL */
	cl_event early;			/* holds a wait without a signal */
};

static struct semaphore *
semaphore_check(cl_semaphore_khr handle)
{
	return (struct semaphore *)object_check(handle, OBJ_SEMAPHORE);
}

/* ---- creation ---------------------------------------------------------- */

static void
put_event(cl_event *to, cl_event e)
{
	if (*to != NULL)
		icd_clReleaseEvent(*to);
	*to = e;
}

static void
semaphore_fini(struct object *o)
{
	struct semaphore *s = (struct semaphore *)o;

	put_event(&s->signal, NULL);
	put_event(&s->wait, NULL);
	put_event(&s->early, NULL);
	pthread_mutex_destroy(&s->lock);
	free(s->property);
	object_unuse(s->device);
	object_unuse(s->context);
}

/* The one device of a list that ends in 0; *at moves behind it. */
static cl_int
take_device(struct semaphore *s, const cl_ulong *list, size_t *at)
{
	struct device *d;

	if (s->device != NULL)
		return CL_INVALID_PROPERTY;
	d = device_check((cl_device_id)(uintptr_t)list[*at + 1]);
	if (d == NULL || !context_has_device(s->context, d) ||
	    list[*at + 2] != 0)
		return CL_INVALID_DEVICE;
	s->device = object_use(d);
	*at += 3;
	return CL_SUCCESS;
}

static cl_int
take_properties(struct semaphore *s, const cl_ulong *list)
{
	bool typed = false;
	size_t at = 0;
	cl_int code;

	if (list == NULL)
		return CL_INVALID_VALUE;
	while (list[at] != 0) {
		if (list[at] == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR) {
			code = take_device(s, list, &at);
			if (code != CL_SUCCESS)
				return code;
			continue;
		}
		if (list[at] != CL_SEMAPHORE_TYPE_KHR || typed ||
		    list[at + 1] != CL_SEMAPHORE_TYPE_BINARY_KHR)
			return CL_INVALID_PROPERTY;
		typed = true;
		at += 2;
	}
	if (!typed)
		return CL_INVALID_VALUE;
	if (s->device == NULL && s->context->device_count > 1)
		return CL_INVALID_PROPERTY;
	s->property_count = at + 1;
	s->property = malloc(s->property_count * sizeof(*list));
	if (s->property == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(s->property, list, s->property_count * sizeof(*list));
	return CL_SUCCESS;
}

static struct semaphore *
semaphore_new(struct context *c)
{
	struct semaphore *s = object_new(OBJ_SEMAPHORE, sizeof(*s),
	    semaphore_fini);

	if (s == NULL)
		return NULL;
	s->o.local = true;
	pthread_mutex_init(&s->lock, NULL);
	s->context = object_use(c);
	return s;
}

cl_semaphore_khr
icd_clCreateSemaphoreWithPropertiesKHR(cl_context context,
    const cl_ulong *sema_props, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct semaphore *s = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((s = semaphore_new(c)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else if ((code = take_properties(s, sema_props)) != CL_SUCCESS) {
		object_unuse(s);
		s = NULL;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (void *)s;
}

/* ---- commands ---------------------------------------------------------- */

static cl_int
check_semaphores(cl_command_queue queue, cl_uint n,
    const cl_semaphore_khr *list)
{
	struct queue *q = (struct queue *)object_check(queue, OBJ_QUEUE);
	struct semaphore *s;
	cl_uint i;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if (n == 0 || list == NULL)
		return CL_INVALID_VALUE;
	for (i = 0; i < n; i++)
		if (semaphore_check(list[i]) == NULL)
			return CL_INVALID_SEMAPHORE_KHR;
	for (i = 0; i < n; i++) {
		s = semaphore_check(list[i]);
		if (s->context != q->context)
			return CL_INVALID_CONTEXT;
		if (s->device != NULL && s->device != q->device)
			return CL_INVALID_COMMAND_QUEUE;
	}
	return CL_SUCCESS;
}

/* An event that is known to have failed fails the command at once. */
static cl_int
check_failed(cl_uint n, const cl_event *list)
{
	cl_int code = CL_SUCCESS;
	cl_uint i;

	call_lock();
	for (i = 0; i < n; i++)
		if (event_status((struct event *)(void *)list[i]) < 0)
			code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	call_unlock();
	return code;
}

/* One that does nothing, of this type, whose event is wanted. */
static cl_int
enqueue(cl_command_queue queue, cl_command_type type, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct command c;
	cl_int code = command_open(&c, queue,
	    &(struct command_options){ .type = type }, n, list, event);

	if (code == CL_SUCCESS && (code = check_failed(n, list)) != CL_SUCCESS)
		return command_drop(&c, code);
	return code == CL_SUCCESS ? command_send_empty(&c) : code;
}

/* Give the program its own reference to the command's event. */
static void
hand_out(cl_event e, cl_event *event)
{
	if (event != NULL)
		*event = e;
	else
		icd_clReleaseEvent(e);
}

/* What a wait for the semaphore waits for; a reference. */
static cl_int
signal_of(struct semaphore *s, cl_event *out)
{
	cl_int code = CL_SUCCESS;

	pthread_mutex_lock(&s->lock);
	*out = s->wait == NULL ? s->signal : NULL;
	if (*out == NULL && s->early == NULL)
		s->early = icd_clCreateUserEvent(
		    (cl_context)(void *)s->context, &code);
	if (*out == NULL)
		*out = s->early;
	if (code == CL_SUCCESS)
		icd_clRetainEvent(*out);
	pthread_mutex_unlock(&s->lock);
	return code;
}

static void
note_wait(struct semaphore *s, cl_event e)
{
	icd_clRetainEvent(e);
	pthread_mutex_lock(&s->lock);
	put_event(&s->wait, e);
	pthread_mutex_unlock(&s->lock);
}

cl_int
icd_clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue,
    cl_uint count, const cl_semaphore_khr *list, const cl_ulong *payloads,
    cl_uint n, const cl_event *events, cl_event *event)
{
	cl_int code = check_semaphores(command_queue, count, list);
	cl_event *all, e = NULL;
	cl_uint i, have = 0;

	(void)payloads;
	if (code != CL_SUCCESS)
		return code;
	if ((n == 0) != (events == NULL))
		return CL_INVALID_EVENT_WAIT_LIST;
	if ((all = malloc(((size_t)n + count) * sizeof(cl_event))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (; code == CL_SUCCESS && have < count; have += code == CL_SUCCESS)
		code = signal_of(semaphore_check(list[have]), &all[have]);
	if (n > 0)
		memcpy(all + have, events, n * sizeof(cl_event));
	if (code == CL_SUCCESS)
		code = enqueue(command_queue, CL_COMMAND_SEMAPHORE_WAIT_KHR,
		    n + count, all, &e);
	for (i = 0; i < have; i++) {
		if (code == CL_SUCCESS)
			note_wait(semaphore_check(list[i]), e);
		icd_clReleaseEvent(all[i]);
	}
	free(all);
	if (code == CL_SUCCESS)
		hand_out(e, event);
	return code;
}

static void CL_CALLBACK
set_early(cl_event e, cl_int status, void *early)
{
	(void)e;
	icd_clSetUserEventStatus(early, status < 0 ? status : CL_COMPLETE);
	icd_clReleaseEvent(early);
}

/* A wait that came first has had its signal with this. */
static void
note_signal(struct semaphore *s, cl_event e)
{
	cl_event early;

	icd_clRetainEvent(e);
	pthread_mutex_lock(&s->lock);
	early = s->early;
	s->early = NULL;
	put_event(&s->signal, e);
	if (early == NULL)
		put_event(&s->wait, NULL);
	pthread_mutex_unlock(&s->lock);
	if (early != NULL && icd_clSetEventCallback(e, CL_COMPLETE, set_early,
	    early) != CL_SUCCESS)
		set_early(e, CL_OUT_OF_HOST_MEMORY, early);
}

cl_int
icd_clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue,
    cl_uint count, const cl_semaphore_khr *list, const cl_ulong *payloads,
    cl_uint n, const cl_event *events, cl_event *event)
{
	cl_int code = check_semaphores(command_queue, count, list);
	cl_event e = NULL;
	cl_uint i;

	(void)payloads;
	if (code != CL_SUCCESS)
		return code;
	code = enqueue(command_queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, n,
	    events, &e);
	if (code != CL_SUCCESS)
		return code;
	for (i = 0; i < count; i++)
		note_signal(semaphore_check(list[i]), e);
	hand_out(e, event);
	return CL_SUCCESS;
}

/* ---- queries ----------------------------------------------------------- */

/* No semaphore was made to be exported. */
cl_int
icd_clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object,
    cl_device_id device, cl_uint handle_type, size_t handle_size,
    void *handle_ptr, size_t *handle_size_ret)
{
	struct semaphore *s = semaphore_check(sema_object);
	struct device *d = device_check(device);

	(void)handle_type;
	(void)handle_size;
	(void)handle_ptr;
	(void)handle_size_ret;
	if (s == NULL)
		return CL_INVALID_SEMAPHORE_KHR;
	if (d == NULL || !context_has_device(s->context, d) ||
	    (s->device != NULL && s->device != d))
		return CL_INVALID_DEVICE;
	return CL_INVALID_VALUE;
}

static bool
is_complete(cl_event e)
{
	cl_int status = CL_QUEUED;

	return e != NULL && icd_clGetEventInfo(e,
	    CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
	    NULL) == CL_SUCCESS && status == CL_COMPLETE;
}

/* Signaled: the signal has happened, and no wait after it. */
static cl_ulong
payload(struct semaphore *s)
{
	cl_ulong now;

	pthread_mutex_lock(&s->lock);
	now = is_complete(s->signal) && !is_complete(s->wait);
	pthread_mutex_unlock(&s->lock);
	return now;
}

cl_int
query_semaphore(struct object *o, cl_uint param, struct info_out *out)
{
	struct semaphore *s = (struct semaphore *)o;

	switch (param) {
	case CL_SEMAPHORE_CONTEXT_KHR:
		return INFO_VALUE(out, cl_context, (void *)s->context);
	case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_SEMAPHORE_PROPERTIES_KHR:
		return info_bytes(out, s->property,
		    s->property_count * sizeof(*s->property));
	case CL_SEMAPHORE_TYPE_KHR:
		return INFO_VALUE(out, cl_uint, CL_SEMAPHORE_TYPE_BINARY_KHR);
	case CL_SEMAPHORE_PAYLOAD_KHR:
		return INFO_VALUE(out, cl_ulong, payload(s));
	case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
		if (s->device != NULL)
			return INFO_VALUE(out, cl_device_id,
			    (void *)s->device);
		return info_bytes(out, s->context->device,
		    s->context->device_count * sizeof(cl_device_id));
	default:
		return CL_INVALID_VALUE;
	}
}
