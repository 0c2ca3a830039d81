/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/shape.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/messages.h"

static enum vgpu_err
decode(const struct message *m, const struct span *bytes, void *record,
    struct err_text *text)
{
	return codec_decode(bytes->p, bytes->n, m->fields, m->field_count,
	    record, text);
}

static enum vgpu_err
take_arg(struct arg_shape *arg, const struct span *bytes,
    struct err_text *text)
{
	struct msg_arg_record r;
	enum vgpu_err e = decode(&desc_arg_record, bytes, &r, text);

	if (e != VGPU_OK)
		return e;
	if (r.arg_kind >= ARG_KIND_COUNT)
		return err_set(text, VGPU_EPROTO, "argument of unknown kind");
	arg->kind = (uint32_t)r.arg_kind;
	arg->size = r.arg_kind == ARG_VALUE ? r.size : 0;
	arg->address = (cl_uint)r.address;
	arg->access = (cl_uint)r.access;
	arg->qualifier = r.qualifier;
	arg->type = r.type.p;
	arg->name = r.name.p;
	return VGPU_OK;
}

static enum vgpu_err
take_work(struct work_shape *work, const struct span *bytes,
    struct err_text *text)
{
	struct msg_work_record r;
	enum vgpu_err e = decode(&desc_work_record, bytes, &r, text);

	if (e != VGPU_OK)
		return e;
	work->work_group_size = r.work_group_size;
	memcpy(work->compile_size, r.compile_size.p,
	    sizeof(work->compile_size));
	work->local_size = r.local_size;
	work->private_size = r.private_size;
	work->multiple = r.multiple;
	work->has_global_size = r.global_size.n == 3;
	if (work->has_global_size)
		memcpy(work->global_size, r.global_size.p,
		    sizeof(work->global_size));
	return VGPU_OK;
}

static enum vgpu_err
take_lists(struct kernel_shape *s, struct span args, struct span work,
    struct err_text *text)
{
	struct span element;
	enum vgpu_err e = VGPU_OK;
	cl_uint i;

	s->arg = calloc(args.n + 1, sizeof(*s->arg));
	s->work = calloc(work.n + 1, sizeof(*s->work));
	if (s->arg == NULL || s->work == NULL)
		return VGPU_ENOMEM;
	s->arg_count = (cl_uint)args.n;
	s->work_count = (cl_uint)work.n;
	for (i = 0; e == VGPU_OK && list_next(&args, &element); i++)
		e = take_arg(&s->arg[i], &element, text);
	for (i = 0; e == VGPU_OK && list_next(&work, &element); i++)
		e = take_work(&s->work[i], &element, text);
	return e;
}

static enum vgpu_err
take_kernel(struct kernel_shape *s, const struct span *bytes,
    cl_uint devices, struct err_text *text)
{
	struct msg_kernel_record r;
	enum vgpu_err e;

	/* The strings stay where the decoder finds them. */
	if ((s->bytes = malloc(bytes->n + 1)) == NULL)
		return VGPU_ENOMEM;
	memcpy(s->bytes, bytes->p, bytes->n);
	e = decode(&desc_kernel_record, &(struct span){ s->bytes, bytes->n },
	    &r, text);
	if (e != VGPU_OK)
		return e;
	if (r.work.n != devices || r.args.n > UINT16_MAX)
		return err_set(text, VGPU_EPROTO,
		    "kernel with %llu devices, expected %u",
		    (unsigned long long)r.work.n, devices);
	s->name = r.name.p;
	s->attributes = r.attributes.p;
	s->arg_info = r.arg_info != 0;
	s->arg_info_asked = r.arg_info == 1;
	return take_lists(s, r.args, r.work, text);
}

enum vgpu_err
shapes_take(struct kernel_shape **out, cl_uint *count, struct span records,
    cl_uint devices, struct err_text *text)
{
	struct kernel_shape *s;
	struct span element;
	enum vgpu_err e = VGPU_OK;
	cl_uint n = 0;

	if ((s = calloc(records.n + 1, sizeof(*s))) == NULL)
		return VGPU_ENOMEM;
	while (e == VGPU_OK && list_next(&records, &element))
		e = take_kernel(&s[n++], &element, devices, text);
	if (e != VGPU_OK) {
		shapes_free(s, n);
		return e;
	}
	*out = s;
	*count = n;
	return VGPU_OK;
}

void
shapes_free(struct kernel_shape *s, cl_uint count)
{
	cl_uint i;

	for (i = 0; i < count; i++) {
		free(s[i].bytes);
		free(s[i].arg);
		free(s[i].work);
	}
	free(s);
}
