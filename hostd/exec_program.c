/* SPDX-License-Identifier: ISC */
#include "hostd/exec_program.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/bind.h"
#include "hostd/dispatch.h"
#include "hostd/program_code.h"

void
kernel_kinds_free(struct kernel_kinds *kinds, unsigned count)
{
	unsigned i;

	for (i = 0; kinds != NULL && i < count; i++) {
		free(kinds[i].name);
		free(kinds[i].kind);
	}
	free(kinds);
}

void
vprogram_set_kinds(struct vprogram *p, struct kernel_kinds *kinds,
    unsigned count)
{
	kernel_kinds_free(p->kinds, p->kinds_count);
	p->kinds = kinds;
	p->kinds_count = count;
}

const struct kernel_kinds *
vprogram_kinds(const struct vprogram *p, const char *name)
{
	unsigned i;

	for (i = 0; i < p->kinds_count; i++)
		if (strcmp(p->kinds[i].name, name) == 0)
			return &p->kinds[i];
	return NULL;
}

static void
vprogram_fini(struct vobj *o)
{
	struct vprogram *p = (struct vprogram *)o;
	unsigned i;

	if (native(p, 0) != NULL)
		clReleaseProgram(native(p, 0));
	vprogram_set_kinds(p, NULL, 0);
	infoset_fini(&p->constants);
	for (i = 0; i < p->device_count; i++)
		object_unref(p->devices[i]);
	free(p->devices);
	object_unref(p->context);
}

bool
vprogram_wait(struct serve *s, struct vprogram *p)
{
	if (!p->busy)
		return false;
	p->awaited = true;
	dispatch_stall(s);
	return true;
}

void
vprogram_settle(struct serve *s, struct vprogram *p)
{
	p->busy = false;
	if (!p->awaited)
		return;
	p->awaited = false;
	dispatch_resume(s);
	if (!dispatch_stalled(s))
		serve_receive_control(s);
}

cl_int
vprogram_make(struct vprogram *p, const struct span *source)
{
	const bool rewritten = source->n > 0;
	struct program_code code = { *source, false, NULL };
	cl_program made;
	cl_int rc;

	if (!rewritten && (!p->rewritten ||
	    !program_code_get(&code, &p->o, &p->constants)))
		return CL_SUCCESS;
	made = program_code_make(&code, native(p->context, 0), &rc);
	if (rc != CL_SUCCESS)
		return rc;
	clReleaseProgram(native(p, 0));
	p->o.native[0] = made;
	p->rewritten = rewritten;
	return CL_SUCCESS;
}

struct vprogram *
vprogram_new(struct serve *s, struct call *call, uint64_t id,
    struct vcontext *c, const struct span *list)
{
	struct vprogram *p;
	unsigned n = list->n > 0 ? (unsigned)list->n : c->device_count, i;

	if (n > PROGRAM_DEVICES_MAX) {
		call_fail(s, call, CL_INVALID_VALUE, "too many devices");
		return NULL;
	}
	p = object_new(s, call, OBJ_PROGRAM, id, sizeof(*p), vprogram_fini);
	if (p == NULL)
		return NULL;
	p->context = object_ref(c);
	infoset_init(&p->constants);
	if ((p->devices = calloc(n, sizeof(struct vdevice *))) == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return NULL;
	}
	for (i = 0; i < n; i++)
		p->devices[i] = object_ref(list->n > 0 ? bind_find(c,
		    span_objects(list)[i]) : c->devices[i]);
	p->device_count = n;
	return p;
}

unsigned
vprogram_devices(const struct vprogram *p, const struct span *list,
    cl_device_id *out, unsigned max)
{
	unsigned n = list->n > 0 ? (unsigned)list->n : p->device_count, i;
	const struct vdevice *d;

	if (n > max)
		return 0;
	for (i = 0; i < n; i++) {
		d = list->n > 0 ? bind_find(p->context,
		    span_objects(list)[i]) : p->devices[i];
		out[i] = d->device;
	}
	return n;
}

/* ---- creation ---------------------------------------------------------- */

void
vprogram_note_printing(struct serve *s, const struct span *source)
{
	static const char word[] = "printf";
	const size_t n = sizeof(word) - 1;

	if (source == NULL || (source->n >= n &&
	    memmem(source->p, source->n, word, n) != NULL))
		s->may_print = true;
}

static const struct span all_devices;

void
exec_clCreateProgramWithSource(struct serve *s, struct call *call,
    struct msg_clCreateProgramWithSource *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &all_devices);
	const char *text = m->source.p;
	size_t n = m->source.n;
	cl_int code;

	if (p == NULL)
		return;
	vprogram_note_printing(s, &m->source);
	p->o.native[0] = clCreateProgramWithSource(native(p->context, 0), 1,
	    &text, &n, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clCreateProgramWithIL(struct serve *s, struct call *call,
    struct msg_clCreateProgramWithIL *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &all_devices);
	cl_int code;

	if (p == NULL)
		return;
	vprogram_note_printing(s, NULL);
	p->o.native[0] = clCreateProgramWithIL(native(p->context, 0),
	    m->code.p, m->code.n, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clCreateProgramWithBinary(struct serve *s, struct call *call,
    struct msg_clCreateProgramWithBinary *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &m->device_list);
	cl_device_id devices[PROGRAM_DEVICES_MAX];
	const unsigned char *binary[PROGRAM_DEVICES_MAX];
	size_t size[PROGRAM_DEVICES_MAX];
	struct span list = m->payloads, element;
	unsigned n, i;
	cl_int code;

	if (p == NULL)
		return;
	vprogram_note_printing(s, NULL);
	n = vprogram_devices(p, &m->device_list, devices,
	    PROGRAM_DEVICES_MAX);
	for (i = 0; i < n && list_next(&list, &element); i++) {
		binary[i] = element.p;
		size[i] = element.n;
	}
	if (i < n) {
		call_fail(s, call, CL_INVALID_VALUE, "fewer binaries than"
		    " devices");
		return;
	}
	p->o.native[0] = clCreateProgramWithBinary(native(p->context, 0), n,
	    devices, size, binary, NULL, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clCreateProgramWithBuiltInKernels(struct serve *s, struct call *call,
    struct msg_clCreateProgramWithBuiltInKernels *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &m->device_list);
	cl_device_id devices[PROGRAM_DEVICES_MAX];
	cl_int code;

	if (p == NULL)
		return;
	p->built_in = true;
	p->o.native[0] = clCreateProgramWithBuiltInKernels(
	    native(p->context, 0), vprogram_devices(p, &m->device_list,
	    devices, PROGRAM_DEVICES_MAX), devices, m->kernel_names.p, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clSetProgramSpecializationConstant(struct serve *s, struct call *call,
    struct msg_clSetProgramSpecializationConstant *m)
{
	const struct reply_clFinish done = { 0 };
	const struct span nothing = { NULL, 0 };
	struct vprogram *p = m->program.obj;
	cl_int code;

	if (vprogram_wait(s, p))
		return;
	/* What was made of a binary takes none. */
	if ((code = vprogram_make(p, &nothing)) == CL_SUCCESS)
		code = clSetProgramSpecializationConstant(native(p, 0),
		    (cl_uint)m->spec_id, m->value.n, m->value.p);
	if (code == CL_SUCCESS)
		infoset_put(&p->constants, (uint32_t)m->spec_id, m->value.p,
		    m->value.n);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
	else
		call_reply(s, call, &done);
}
