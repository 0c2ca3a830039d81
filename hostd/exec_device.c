/* SPDX-License-Identifier: ISC */
#include "hostd/exec_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "hostd/arena.h"
#include "hostd/completion.h"
#include "hostd/idtab.h"
#include "hostd/preload.h"
#include "hostd/present.h"
#include "hostd/vendor.h"
#include "protocol/shared.h"

static struct vendor *vendors[POOL_VENDORS_MAX];
static struct err_text vendor_failed[POOL_VENDORS_MAX];

static void
vdevice_fini(struct vobj *o)
{
	struct vdevice *d = (struct vdevice *)o;
	unsigned i;

	for (i = 0; i < d->member_count; i++)
		object_unref(d->member[i]);
	free(d->member);
	if (d->parent == NULL)
		return;
	if (d->device != NULL)
		clReleaseDevice(d->device);
	object_unref(d->parent);
}

static struct vdevice *
root_new(const struct pool_device *pool)
{
	struct vdevice *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	d->o.kind = OBJ_DEVICE;
	d->o.fini = vdevice_fini;
	atomic_init(&d->o.refs, 1);
	d->pool = pool;
	return d;
}

static bool
add_members(struct vdevice *d, const struct view_device *shown)
{
	struct vdevice *m;

	d->member = calloc(shown->count, sizeof(struct vdevice *));
	if (d->member == NULL)
		return false;
	for (; d->member_count < shown->count; d->member_count++) {
		if ((m = root_new(shown->member[d->member_count])) == NULL)
			return false;
		m->class = d;
		d->member[d->member_count] = m;
	}
	return true;
}

static struct vdevice *
shown_new(const struct view_device *shown)
{
	struct vdevice *d = root_new(shown->member[0]);

	if (d == NULL || shown->count == 1 || add_members(d, shown))
		return d;
	object_unref(d);
	return NULL;
}

/* The single view shows the first class alone; the others may stand in. */
static enum vgpu_err
open_spares(struct serve *s)
{
	struct vdevice *d;
	unsigned i;

	if (!s->start.move_across || s->kind != VIEW_SINGLE)
		return VGPU_OK;
	if (view_make(&s->spare_view, s->start.pool, VIEW_CLASS,
	    s->only != NULL ? s->only : "", s->start.names) != VGPU_OK ||
	    (s->spares = calloc(s->spare_view.count + 1,
	    sizeof(*s->spares))) == NULL)
		return VGPU_ENOMEM;
	for (i = 1; i < s->spare_view.count; i++) {
		if ((d = shown_new(&s->spare_view.device[i])) == NULL)
			return VGPU_ENOMEM;
		s->spares[s->spare_count++] = d;
	}
	return VGPU_OK;
}

enum vgpu_err
devices_open(struct serve *s)
{
	struct vdevice *d;
	unsigned i;

	s->devices = calloc(s->view.count + 1, sizeof(*s->devices));
	if (s->devices == NULL)
		return VGPU_ENOMEM;
	for (i = 0; i < s->view.count; i++) {
		if ((d = shown_new(&s->view.device[i])) == NULL)
			return VGPU_ENOMEM;
		d->o.id = (i + 1) | (uint64_t)1 << 32;
		s->devices[s->device_count++] = d;
		if (idtab_put(s->objects, d->o.id, OBJ_DEVICE, d) != VGPU_OK)
			return VGPU_ENOMEM;
	}
	return open_spares(s);
}

/* ---- loading ----------------------------------------------------------- */

static struct vendor *
load_vendor(struct serve *s, unsigned v)
{
	const struct pool_vendor *vendor = &s->start.pool->vendors[v];
	enum vgpu_err e;

	if (vendors[v] != NULL || vendor_failed[v].s[0] != '\0')
		return vendors[v];
	e = preload_take(v, &vendors[v], &vendor_failed[v]);
	if (e == VGPU_EAGAIN)
		e = vendor_open(vendor->icd, &vendors[v], &vendor_failed[v]);
	if (e != VGPU_OK) {
		vendors[v] = NULL;
		log_error("vendor %s: %s", vendor->name, vendor_failed[v].s);
	}
	return vendors[v];
}

void *
device_loader_function(const struct vdevice *d, const char *name)
{
	return dlsym(vendors[d->pool->vendor]->loader, name);
}

const struct vendor *
device_vendor(const struct vdevice *d)
{
	return vendors[d->pool->vendor];
}

vendor_fn *
device_function(const struct vdevice *d, enum vendor_function f)
{
	const struct vendor *v = device_vendor(d);

	return v != NULL && d->pool->platform < v->platform_count ?
	    v->platforms[d->pool->platform].functions[f] : NULL;
}

cl_int
device_open(struct serve *s, struct vdevice *d, const char **reason)
{
	const struct pool_device *p = d->pool;
	const struct vendor *v;

	if (d->device != NULL)
		return CL_SUCCESS;
	if ((v = load_vendor(s, p->vendor)) == NULL) {
		*reason = vendor_failed[p->vendor].s;
		return CL_DEVICE_NOT_AVAILABLE;
	}
	if (p->platform >= v->platform_count ||
	    p->device >= v->platforms[p->platform].device_count) {
		*reason = "the device is gone";
		return CL_DEVICE_NOT_AVAILABLE;
	}
	d->device = v->platforms[p->platform].devices[p->device];
	if (p->simulator)
		completion_expect_forgetful();
	return CL_SUCCESS;
}

struct vdevice *
device_alone(struct vdevice *d)
{
	if (d->member_count == 0)
		return d;
	if (d->bound == NULL)
		d->bound = d->member[0];
	return d->bound;
}

/* ---- timers ------------------------------------------------------------ */

void
exec_clGetDeviceAndHostTimer(struct serve *s, struct call *call,
    struct msg_clGetDeviceAndHostTimer *m)
{
	struct vdevice *d = device_alone(m->device.obj);
	struct reply_clGetDeviceAndHostTimer r = { 0 };
	const char *reason;
	cl_ulong device = 0, host = 0;

	r.status = device_open(s, d, &reason);
	if (r.status == CL_SUCCESS)
		r.status = clGetDeviceAndHostTimer(d->device, &device, &host);
	r.device_time = device;
	r.host_time = host;
	call_reply(s, call, &r);
}

void
exec_clGetHostTimer(struct serve *s, struct call *call,
    struct msg_clGetHostTimer *m)
{
	struct vdevice *d = device_alone(m->device.obj);
	struct reply_clGetHostTimer r = { 0 };
	const char *reason;
	cl_ulong host = 0;

	r.status = device_open(s, d, &reason);
	if (r.status == CL_SUCCESS)
		r.status = clGetHostTimer(d->device, &host);
	r.host_time = host;
	call_reply(s, call, &r);
}

/* ---- sub-devices ------------------------------------------------------- */

#define PARTITION_MAX 1024

static cl_int
make_sub_devices(struct vdevice *parent, const struct span *list,
    cl_device_id *out, cl_uint max, cl_uint *n)
{
	cl_device_partition_property p[PARTITION_MAX + 1] = { 0 };
	const uint64_t *from = list->p;
	cl_int code;
	uint64_t i;

	if (list->n > PARTITION_MAX)
		return CL_INVALID_VALUE;
	for (i = 0; i < list->n; i++)
		p[i] = (cl_device_partition_property)from[i];
	code = clCreateSubDevices(parent->device, p, 0, NULL, n);
	if (code == CL_SUCCESS && *n > max)
		code = CL_DEVICE_PARTITION_FAILED;
	if (code == CL_SUCCESS)
		code = clCreateSubDevices(parent->device, p, *n, out, n);
	return code;
}

static bool
enter_sub_device(struct serve *s, struct call *call, struct vdevice *parent,
    uint64_t id, cl_device_id device)
{
	struct vdevice *d = object_new(s, call, OBJ_DEVICE, id, sizeof(*d),
	    vdevice_fini);

	if (d == NULL)
		return false;
	d->parent = object_ref(parent);
	d->pool = parent->pool;
	d->device = device;
	return true;
}

static void
reply_sub_devices(struct serve *s, struct call *call, const uint64_t *ids,
    cl_uint n)
{
	struct buf *records = calloc(n + 1, sizeof(*records));
	struct span *spans = calloc(n + 1, sizeof(*spans));
	struct reply_clCreateSubDevices r = { .count = n };
	cl_uint i;

	if (records == NULL || spans == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
	} else {
		for (i = 0; i < n; i++) {
			present_device(s, idtab_get(s->objects, ids[i],
			    OBJ_DEVICE), &records[i]);
			spans[i] = (struct span){ buf_front(&records[i]),
				buf_len(&records[i]) };
		}
		r.info = (struct span){ spans, n };
		call_reply(s, call, &r);
		for (i = 0; i < n; i++)
			buf_fini(&records[i]);
	}
	free(records);
	free(spans);
}

void
exec_clCreateSubDevices(struct serve *s, struct call *call,
    struct msg_clCreateSubDevices *m)
{
	struct vdevice *parent = device_alone(m->in_device.obj);
	const uint64_t *ids = m->ids.p;
	cl_device_id *sub = calloc(m->ids.n + 1, sizeof(*sub));
	const char *reason = NULL;
	cl_uint i, n = 0;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (sub != NULL)
		code = device_open(s, parent, &reason);
	if (code == CL_SUCCESS)
		code = make_sub_devices(parent, &m->property_list, sub,
		    (cl_uint)m->ids.n, &n);
	for (i = 0; code == CL_SUCCESS && i < n; i++)
		if (!enter_sub_device(s, call, parent, ids[i], sub[i]))
			code = CL_OUT_OF_HOST_MEMORY;
	free(sub);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, reason);
	else
		reply_sub_devices(s, call, ids, n);
}
