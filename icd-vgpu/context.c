/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/context.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/image_format.h"
#include "icd-vgpu/kernel.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/program.h"
#include "icd-vgpu/queue.h"
#include "icd-vgpu/sampler.h"

/* ---- callbacks when objects are gone ----------------------------------- */

static void
destructor_call(void *arg)
{
	struct destructor *d = arg;

	switch (d->kind) {
	case OBJ_CONTEXT:
		((pfn_context_gone)d->run)(d->handle, d->user_data);
		break;
	case OBJ_PROGRAM:
		((pfn_program)d->run)(d->handle, d->user_data);
		break;
	case OBJ_MEM:
		((pfn_mem)d->run)(d->handle, d->user_data);
		break;
	default:
		break;
	}
	free(d);
}

cl_int
destructor_add(struct destructor **list, enum obj_kind kind, void *handle,
    void (*run)(void), void *user_data)
{
	struct destructor *d = malloc(sizeof(*d));

	if (d == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	*d = (struct destructor){ .run = run, .user_data = user_data,
		.kind = kind, .handle = handle };
	call_lock();
	d->next = *list;
	*list = d;
	call_unlock();
	return CL_SUCCESS;
}

void
destructor_run(struct destructor **list)
{
	struct destructor *d;

	while ((d = *list) != NULL) {
		*list = d->next;
		callback_queue(destructor_call, d);
	}
}

/* ---- devices of a context ---------------------------------------------- */

cl_uint
context_device_index(const struct context *c, const struct device *d)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (c->device[i] == d)
			break;
	return i;
}

bool
context_has_device(const struct context *c, const struct device *d)
{
	return context_device_index(c, d) < c->device_count;
}

cl_int
context_device_list(const struct context *c, cl_uint n,
    const cl_device_id *list, uint64_t *ids, cl_uint max, cl_uint *count)
{
	const struct device *d;
	cl_uint i;

	if ((n == 0) != (list == NULL))
		return CL_INVALID_VALUE;
	*count = list != NULL ? n : c->device_count;
	if (*count > max)
		return CL_INVALID_DEVICE;
	for (i = 0; i < *count; i++) {
		d = list != NULL ? device_check(list[i]) : c->device[i];
		if (d == NULL || !context_has_device(c, d))
			return CL_INVALID_DEVICE;
		ids[i] = d->o.id;
	}
	return CL_SUCCESS;
}

/* ---- notification ------------------------------------------------------ */

struct notice {
	struct context *context;	/* a use */
	char *text;
};

static void
notice_run(void *arg)
{
	struct notice *n = arg;

	n->context->notify(n->text, NULL, 0, n->context->notify_data);
	object_unuse(n->context);
	free(n->text);
	free(n);
}

void
context_tell(struct context *c, const char *text)
{
	struct notice *n;

	if (c == NULL || c->notify == NULL ||
	    (n = malloc(sizeof(*n))) == NULL)
		return;
	if ((n->text = strdup(text)) == NULL) {
		free(n);
		return;
	}
	n->context = object_use(c);
	callback_queue(notice_run, n);
}

void
context_notify(uint64_t id, const char *text)
{
	struct context *c = (struct context *)object_find(id, OBJ_CONTEXT);

	context_tell(c, text);
	object_unuse(c);
}

struct context *
context_of(struct object *o)
{
	switch ((enum obj_kind)o->kind) {
	case OBJ_CONTEXT:
		return (struct context *)o;
	case OBJ_QUEUE:
		return ((struct queue *)o)->context;
	case OBJ_MEM:
		return ((struct mem *)o)->context;
	case OBJ_PROGRAM:
		return ((struct program *)o)->context;
	case OBJ_KERNEL:
		return ((struct kernel *)o)->program->context;
	case OBJ_EVENT:
		return ((struct event *)o)->context;
	case OBJ_SAMPLER:
		return ((struct sampler *)o)->context;
	default:
		return NULL;
	}
}

void
context_note_error(struct object *o, const char *text)
{
	context_tell(context_of(o), text);
}

/* ---- creation ---------------------------------------------------------- */

static void
context_fini(struct object *o)
{
	struct context *c = (struct context *)o;
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		object_unuse(c->device[i]);
	destructor_run(&c->destructors);
	image_formats_free(c->formats);
	free(c->default_queue);
	free(c->device);
	free(c->property);
}

/* Check and copy a property list (OpenCL 3.0, 4.4, table of properties). */
static cl_int
take_properties(struct context *c, const cl_context_properties *p)
{
	size_t n = 0, i;

	if (p == NULL)
		return CL_SUCCESS;
	for (; p[n] != 0; n += 2) {
		if (p[n] != CL_CONTEXT_PLATFORM &&
		    p[n] != CL_CONTEXT_INTEROP_USER_SYNC)
			return CL_INVALID_PROPERTY;
		for (i = 0; i < n; i += 2)
			if (p[i] == p[n])
				return CL_INVALID_PROPERTY;
		if (p[n] == CL_CONTEXT_PLATFORM &&
		    object_check((void *)p[n + 1], OBJ_PLATFORM) == NULL)
			return CL_INVALID_PLATFORM;
		if (p[n] == CL_CONTEXT_INTEROP_USER_SYNC &&
		    p[n + 1] != CL_TRUE && p[n + 1] != CL_FALSE)
			return CL_INVALID_PROPERTY;
	}
	c->property_count = n + 1;
	if ((c->property = malloc((n + 1) * sizeof(*p))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(c->property, p, (n + 1) * sizeof(*p));
	return CL_SUCCESS;
}

static cl_int
take_devices(struct context *c, cl_uint n, const cl_device_id *list)
{
	struct device *d;
	cl_uint i;

	c->device = calloc(n, sizeof(*c->device));
	c->default_queue = calloc(n, sizeof(*c->default_queue));
	if (c->device == NULL || c->default_queue == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < n; i++) {
		if ((d = device_check(list[i])) == NULL)
			return CL_INVALID_DEVICE;
		/* A device named twice counts once (4.4). */
		if (!context_has_device(c, d))
			c->device[c->device_count++] = object_use(d);
	}
	for (i = 1; i < c->device_count; i++)
		if (c->device[i]->vendor != c->device[0]->vendor) {
			context_tell(c, "vgpu: a context can't hold devices of"
			    " several vendors yet; choose devices of one");
			return CL_INVALID_DEVICE;
		}
	for (i = 0; i < c->device_count; i++)
		if (!device_u64(c->device[i], CL_DEVICE_AVAILABLE))
			return CL_DEVICE_NOT_AVAILABLE;
	return CL_SUCCESS;
}

static cl_int
context_send(const struct context *c)
{
	uint64_t *ids = malloc(c->device_count * sizeof(*ids));
	struct msg_clCreateContext m = {
		.devices = { ids, c->device_count },
		.id.id = c->o.id,
	};
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (ids != NULL && object_ids(ids, c->device, c->device_count,
	    OBJ_DEVICE))
		code = call_async(&desc_clCreateContext, &m, 0);
	free(ids);
	return code;
}

static struct context *
context_new(const cl_context_properties *properties, cl_uint n,
    const cl_device_id *list, pfn_context notify, void *user_data,
    cl_int *code)
{
	struct context *c = object_new(OBJ_CONTEXT, sizeof(*c), context_fini);

	*code = CL_OUT_OF_HOST_MEMORY;
	if (c == NULL)
		return NULL;
	c->notify = notify;
	c->notify_data = user_data;
	if ((*code = take_properties(c, properties)) == CL_SUCCESS &&
	    (*code = take_devices(c, n, list)) == CL_SUCCESS &&
	    (*code = context_send(c)) == CL_SUCCESS)
		return c;
	c->o.local = true;
	object_unuse(c);
	return NULL;
}

cl_context
icd_clCreateContext(const cl_context_properties *properties,
    cl_uint num_devices, const cl_device_id *devices, pfn_context pfn_notify,
    void *user_data, cl_int *errcode_ret)
{
	struct context *c = NULL;
	cl_int code;

	if (num_devices == 0 || devices == NULL ||
	    (pfn_notify == NULL && user_data != NULL))
		code = CL_INVALID_VALUE;
	else if (client_get(NULL) == NULL)
		code = CL_DEVICE_NOT_AVAILABLE;
	else
		c = context_new(properties, num_devices, devices, pfn_notify,
		    user_data, &code);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_context)(void *)c;
}

cl_context
icd_clCreateContextFromType(const cl_context_properties *properties,
    cl_device_type device_type, pfn_context pfn_notify, void *user_data,
    cl_int *errcode_ret)
{
	struct device *const *all;
	cl_uint max = client_get(NULL) != NULL ? platform_devices(&all) : 0;
	cl_uint n = 0;
	cl_device_id *list = calloc(max + 1, sizeof(*list));
	cl_context context = NULL;
	cl_int code;

	if (pfn_notify == NULL && user_data != NULL)
		code = CL_INVALID_VALUE;
	else if (list == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = icd_clGetDeviceIDs(NULL, device_type, max + 1, list, &n);
	if (code == CL_SUCCESS)
		context = icd_clCreateContext(properties, n, list, pfn_notify,
		    user_data, &code);
	free(list);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return context;
}

cl_int
icd_clSetContextDestructorCallback(cl_context context,
    pfn_context_gone pfn_notify, void *user_data)
{
	struct context *c = context_check(context);

	if (c == NULL)
		return CL_INVALID_CONTEXT;
	if (pfn_notify == NULL)
		return CL_INVALID_VALUE;
	return destructor_add(&c->destructors, OBJ_CONTEXT, c,
	    (void (*)(void))pfn_notify, user_data);
}

cl_int
query_context(struct object *o, cl_uint param, struct info_out *out)
{
	struct context *c = (struct context *)o;

	switch (param) {
	case CL_CONTEXT_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_CONTEXT_NUM_DEVICES:
		return INFO_VALUE(out, cl_uint, c->device_count);
	case CL_CONTEXT_DEVICES:
		return info_bytes(out, c->device,
		    c->device_count * sizeof(*c->device));
	case CL_CONTEXT_PROPERTIES:
		return info_bytes(out, c->property,
		    c->property_count * sizeof(*c->property));
	default:
		return CL_INVALID_VALUE;
	}
}
