/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/usm_private.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/svm.h"

/* Changes travel in portions of about this much. */
#define PORTION ((size_t)8 << 20)

unsigned
usm_kind(const struct svm *s)
{
	switch (s->kind.type) {
	case CL_MEM_TYPE_HOST_INTEL:
		return USM_HOST;
	case CL_MEM_TYPE_DEVICE_INTEL:
		return USM_DEVICE;
	case CL_MEM_TYPE_SHARED_INTEL:
		return USM_SHARED;
	default:
		return 0;
	}
}

/* ---- which twins ------------------------------------------------------- */

static void
found_add(struct usm_found *f, struct svm *s)
{
	struct svm **more;

	if (s->stale || s->twin.agreed == NULL || s->context != f->context)
		return;
	if (f->count == f->room) {
		f->room = f->room * 2 + 16;
		more = realloc(f->list, f->room * sizeof(f->list[0]));
		if (more == NULL) {
			f->failed = true;
			return;
		}
		f->list = more;
	}
	f->list[f->count++] = s;
	s->stale = true;
}

static void
add_of_kinds(struct svm *s, void *arg)
{
	struct usm_found *f = arg;

	if (usm_kind(s) & f->kinds)
		found_add(f, s);
}

void
usm_find(struct usm_found *f, unsigned kinds, const void *const *p, size_t count)
{
	struct svm *s;
	size_t i;

	f->kinds = kinds & (USM_HOST | USM_SHARED);
	if (f->kinds != 0)
		svm_each(add_of_kinds, f);
	for (i = 0; i < count; i++)
		if ((s = svm_find(p[i])) != NULL)
			found_add(f, s);
}

void
usm_found_fini(struct usm_found *f)
{
	size_t i;

	for (i = 0; i < f->count; i++)
		f->list[i]->stale = false;
	free(f->list);
}

/* ---- to the host ------------------------------------------------------- */

static cl_int
send_records(const struct context *c, struct buf *records)
{
	const struct layout from = layout_flat(buf_front(records),
	    buf_len(records));
	struct msg_usm_push m = {
		.context.id = c->o.id,
		.size = buf_len(records),
	};
	cl_int code = CL_SUCCESS;

	if (buf_len(records) > 0)
		code = enqueue_creation(&desc_usm_push, &m, &m.data,
		    &m.transfer, &from, false, NULL);
	buf_take(records, buf_len(records));
	return code;
}

cl_int
usm_push(const struct context *c, const struct usm_found *f)
{
	struct buf records;
	cl_int code = CL_SUCCESS;
	size_t i, at;

	buf_init(&records);
	for (i = 0; i < f->count && code == CL_SUCCESS; i++) {
		at = 0;
		while (code == CL_SUCCESS && !twin_collect(&f->list[i]->twin,
		    &at, &records, PORTION)) {
			code = records.failed ? CL_OUT_OF_HOST_MEMORY :
			    send_records(c, &records);
		}
	}
	if (code == CL_SUCCESS)
		code = send_records(c, &records);
	buf_fini(&records);
	return code;
}

/* ---- from the host ----------------------------------------------------- */

static void
take_records(const struct span *records)
{
	const uint8_t *p = records->p;
	uint64_t n = records->n;
	struct twin_record r;
	const void *at;
	struct svm *s;

	for (; n >= sizeof(r); p += sizeof(r), n -= sizeof(r)) {
		memcpy(&r, p, sizeof(r));
		memcpy(&at, &r.address, sizeof(at));
		if ((s = svm_find(at)) != NULL && s->twin.agreed != NULL)
			twin_apply(&s->twin, &r);
	}
}

void
usm_pull(const struct usm_found *f)
{
	struct msg_usm_pull m = { .context.id = f->context->o.id };
	struct reply_usm_pull r;
	struct buf body;
	uint64_t *addresses = calloc(f->count + 1, sizeof(*addresses));
	cl_int code = CL_SUCCESS;
	size_t i;

	for (i = 0; addresses != NULL && i < f->count; i++)
		addresses[i] = (uintptr_t)f->list[i]->base;
	m.addresses = (struct span){ addresses, f->count };
	do {
		r.more = 0;
		if (addresses == NULL || f->count == 0)
			break;
		code = call_sync(&desc_usm_pull, &m, &r, &body);
		if (code == CL_SUCCESS)
			take_records(&r.records);
		buf_fini(&body);
		m.from = r.more;
	} while (code == CL_SUCCESS && r.more != 0);
	free(addresses);
}
