/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/build.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/shipment.h"

static void
build_unuse(struct build *b)
{
	if (atomic_fetch_sub(&b->uses, 1) != 1)
		return;
	object_unuse(b->program);
	free(b->index);
	free(b->ids);
	free(b);
}

static struct build *
build_new(struct program *p, const struct build_request *r)
{
	struct build *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NULL;
	atomic_init(&b->uses, 1);
	b->program = object_use(p);
	b->index = calloc(p->device_count, sizeof(*b->index));
	b->ids = calloc(p->device_count, sizeof(*b->ids));
	b->notify = r->notify;
	b->user_data = r->user_data;
	b->failure = r->failure;
	if (b->index == NULL || b->ids == NULL) {
		build_unuse(b);
		return NULL;
	}
	return b;
}

bool
build_is_non_uniform(enum program_origin origin, const char *options)
{
	const char *std;

	if (options == NULL)
		options = "";
	if (strstr(options, "-cl-uniform-work-group-size") != NULL)
		return false;
	/* How these were compiled is not known here; the vendor checks. */
	if (origin == PROGRAM_BINARY || origin == PROGRAM_LINKED)
		return true;
	std = strstr(options, "-cl-std=CL");
	return std != NULL && std[10] != '1';
}

/* With the program's lock held: its devices' builds begin. */
static cl_int
mark_begun(struct build *b, const char *options)
{
	struct program *p = b->program;
	struct program_device *d;
	char *copy;
	cl_uint i;

	if (p->building || p->kernels > 0)
		return CL_INVALID_OPERATION;
	for (i = 0; i < b->count; i++) {
		d = &p->device[b->index[i]];
		b->ids[i] = d->device->o.id;
		if ((copy = strdup(options != NULL ? options : "")) == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		free(d->options);
		d->options = copy;
		free(d->log);
		d->log = NULL;
	}
	for (i = 0; i < b->count; i++)
		p->device[b->index[i]].status = CL_BUILD_IN_PROGRESS;
	p->building = true;
	return CL_SUCCESS;
}

cl_int
build_begin(struct build **out, struct program *p,
    const struct build_request *r)
{
	struct build *b;
	cl_int code;

	if (r->notify == NULL && r->user_data != NULL)
		return CL_INVALID_VALUE;
	if ((b = build_new(p, r)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	code = program_device_list(p, r->device_count, r->devices, b->index,
	    &b->count);
	if (code == CL_SUCCESS)
		code = atomic_load(&p->o.error);
	if (code == CL_SUCCESS) {
		pthread_mutex_lock(&p->lock);
		code = mark_begun(b, r->options);
		pthread_mutex_unlock(&p->lock);
	}
	if (code != CL_SUCCESS) {
		build_unuse(b);
		return code;
	}
	*out = b;
	return CL_SUCCESS;
}

struct span
build_devices(const struct build *b, const struct build_request *r)
{
	return (struct span){ b->ids, r->devices == NULL ? 0 : b->count };
}

cl_int
build_send(struct build *b, const struct message *m, const void *msg,
    call_then_function *then)
{
	cl_int code;

	atomic_fetch_add(&b->uses, 1);
	if ((code = call_then(m, msg, then, b)) != CL_SUCCESS)
		build_unuse(b);
	return code;
}

/* ---- what comes back --------------------------------------------------- */

static void
take_device(struct program_device *d, const struct span *bytes)
{
	struct msg_build_record r;

	if (codec_decode(bytes->p, bytes->n, desc_build_record.fields,
	    desc_build_record.field_count, &r, NULL) != VGPU_OK)
		return;
	d->status = (cl_build_status)r.build_status;
	d->type = (cl_program_binary_type)r.binary_type;
	d->global_size = r.global_size;
	free(d->log);
	d->log = r.log.n == 0 ? NULL : strndup(r.log.p, r.log.n);
}

static bool
is_listed(const struct build *b, cl_uint device)
{
	cl_uint i;

	for (i = 0; i < b->count; i++)
		if (b->index[i] == device)
			return true;
	return false;
}

/*
 * With the program's lock held: the devices of the list, and then the others:
 * some vendors build for a device and its parts at once.
 */
static void
take_devices(struct build *b, struct span records)
{
	struct program *p = b->program;
	struct span element;
	cl_uint i;

	for (i = 0; i < b->count && list_next(&records, &element); i++)
		take_device(&p->device[b->index[i]], &element);
	for (i = 0; i < p->device_count; i++)
		if (!is_listed(b, i) && list_next(&records, &element))
			take_device(&p->device[i], &element);
}

/* With the program's lock held: nothing was built. */
static void
mark_failed(struct build *b, const char *log)
{
	struct program_device *d;
	cl_uint i;

	for (i = 0; i < b->count; i++) {
		d = &b->program->device[b->index[i]];
		d->status = CL_BUILD_ERROR;
		d->type = CL_PROGRAM_BINARY_TYPE_NONE;
		d->global_size = 0;
		if (log != NULL && d->log == NULL)
			d->log = strdup(log);
	}
}

/* With the program's lock held: new kernels in place of the old ones. */
static cl_int
take_kernels(struct program *p, const struct span *kernels)
{
	struct err_text text;
	struct kernel_shape *shape;
	cl_uint count;
	enum vgpu_err e;

	shapes_free(p->shape, p->shape_count);
	p->shape = NULL;
	p->shape_count = 0;
	if (kernels == NULL)
		return CL_SUCCESS;
	e = shapes_take(&shape, &count, *kernels, p->device_count, &text);
	if (e != VGPU_OK)
		return e == VGPU_ENOMEM ? CL_OUT_OF_HOST_MEMORY :
		    CL_OUT_OF_RESOURCES;
	p->shape = shape;
	p->shape_count = count;
	return CL_SUCCESS;
}

static void
run_notify(void *arg)
{
	struct build *b = arg;

	b->notify((cl_program)(void *)b->program, b->user_data);
	build_unuse(b);
}

/* A build answers, or fails, or could not be sent to a host that died. */
static bool
is_about_the_program(cl_int status)
{
	return status == CL_SUCCESS || status == CL_BUILD_PROGRAM_FAILURE ||
	    status == CL_COMPILE_PROGRAM_FAILURE ||
	    status == CL_LINK_PROGRAM_FAILURE;
}

void
build_take(struct build *b, cl_int status, const struct span *devices,
    const struct span *kernels)
{
	struct program *p = b->program;

	if (!is_about_the_program(status))
		shipment_forget();
	pthread_mutex_lock(&p->lock);
	mark_failed(b, NULL);
	if (devices != NULL)
		take_devices(b, *devices);
	if (take_kernels(p, kernels) != CL_SUCCESS) {
		mark_failed(b, "the host's answer is not understood");
		status = b->failure;
	}
	p->non_uniform = build_is_non_uniform(p->origin,
	    p->device[b->index[0]].options);
	program_drop_binaries(p);
	p->building = false;
	pthread_mutex_unlock(&p->lock);
	call_lock();
	b->code = status;
	b->done = true;
	call_changed();
	call_unlock();
	if (b->notify != NULL)
		callback_queue(run_notify, b);
	else
		build_unuse(b);
}

static bool
build_done(void *arg)
{
	return ((const struct build *)arg)->done;
}

cl_int
build_end(struct build *b, cl_int code, const char *log)
{
	struct program *p = b->program;

	if (code != CL_SUCCESS) {
		pthread_mutex_lock(&p->lock);
		mark_failed(b, log);
		p->building = false;
		pthread_mutex_unlock(&p->lock);
	} else if (b->notify == NULL) {
		code = call_wait(build_done, b);
		if (code == CL_SUCCESS)
			code = b->code;
	}
	build_unuse(b);
	return code;
}
