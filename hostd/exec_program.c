/* SPDX-License-Identifier: ISC */
#include "hostd/exec_program.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/bind.h"
#include "hostd/dispatch.h"
#include "hostd/member.h"
#include "hostd/program_code.h"

void
kernel_kinds_free(struct kernel_kinds *kinds, unsigned count)
{
	unsigned i;

	for (i = 0; kinds != NULL && i < count; i++) {
		free(kinds[i].name);
		free(kinds[i].kind);
		free(kinds[i].reads_only);
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

	for (i = 0; i < MEMBERS_MAX; i++)
		if (native(p, i) != NULL)
			clReleaseProgram(native(p, i));
	vprogram_set_kinds(p, NULL, 0);
	infoset_fini(&p->constants);
	free(p->build);
	free(p->binary);
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
	unsigned m;
	cl_int rc;

	if (!rewritten && (!p->rewritten ||
	    !program_code_get(&code, &p->o, &p->constants)))
		return CL_SUCCESS;
	for (m = 0; m < p->context->member_count; m++) {
		if (native(p, m) == NULL)
			continue;
		made = program_code_make(&code, native(p->context, m), &rc);
		if (rc != CL_SUCCESS)
			return rc;
		clReleaseProgram(native(p, m));
		p->o.native[m] = made;
	}
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

static const struct vdevice *
listed_device(const struct vprogram *p, const struct span *list, unsigned i)
{
	return list->n > 0 ? bind_find(p->context, span_objects(list)[i]) :
	    p->devices[i];
}

unsigned
vprogram_devices(const struct vprogram *p, const struct span *list,
    cl_device_id *out, unsigned max)
{
	unsigned n = list->n > 0 ? (unsigned)list->n : p->device_count, i;

	if (n > max)
		return 0;
	for (i = 0; i < n; i++)
		out[i] = listed_device(p, list, i)->device;
	return n;
}

unsigned
vprogram_member_devices(const struct vprogram *p, const struct span *list,
    unsigned member, cl_device_id *out, unsigned max)
{
	unsigned n = list->n > 0 ? (unsigned)list->n : p->device_count, i;
	const struct vdevice *d;
	unsigned count = 0;

	for (i = 0; i < n && count < max; i++) {
		d = listed_device(p, list, i);
		if (context_member(p->context, d) == member)
			out[count++] = d->device;
	}
	return count;
}

unsigned
vprogram_member(const struct vprogram *p, cl_device_id device)
{
	unsigned i;

	for (i = 0; i < p->device_count; i++)
		if (p->devices[i]->device == device)
			return context_member(p->context, p->devices[i]);
	return 0;
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
	cl_int code = CL_SUCCESS;
	unsigned i;

	if (p == NULL)
		return;
	vprogram_note_printing(s, &m->source);
	for (i = 0; i < p->context->member_count && code == CL_SUCCESS; i++)
		p->o.native[i] = clCreateProgramWithSource(
		    native(p->context, i), 1, &text, &n, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clCreateProgramWithIL(struct serve *s, struct call *call,
    struct msg_clCreateProgramWithIL *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &all_devices);
	cl_int code = CL_SUCCESS, last = CL_SUCCESS;
	bool made = false;
	unsigned i;

	if (p == NULL)
		return;
	vprogram_note_printing(s, NULL);
	/* Some members may not take it. */
	for (i = 0; i < p->context->member_count; i++) {
		p->o.native[i] = clCreateProgramWithIL(
		    native(p->context, i), m->code.p, m->code.n, &code);
		if (code == CL_SUCCESS)
			made = true;
		else
			last = code;
	}
	if (!made)
		call_fail(s, call, last, NULL);
}

/* What the vendors take: devices and binaries of a member. */
struct binaries {
	unsigned count;
	cl_device_id device[PROGRAM_DEVICES_MAX];
	const unsigned char *binary[PROGRAM_DEVICES_MAX];
	size_t size[PROGRAM_DEVICES_MAX];
};

/* False: there are fewer binaries than devices. */
static bool
take_binaries(const struct vprogram *p, struct span list, unsigned member,
    struct binaries *b)
{
	const struct vdevice *d;
	struct span element;
	unsigned i;

	b->count = 0;
	for (i = 0; i < p->device_count; i++) {
		if (!list_next(&list, &element))
			return false;
		d = p->devices[i];
		if (context_member(p->context, d) != member)
			continue;
		b->device[b->count] = d->device;
		b->binary[b->count] = element.p;
		b->size[b->count++] = element.n;
	}
	return true;
}

void
exec_clCreateProgramWithBinary(struct serve *s, struct call *call,
    struct msg_clCreateProgramWithBinary *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &m->device_list);
	struct binaries b;
	cl_int code = CL_SUCCESS;
	unsigned i;

	if (p == NULL)
		return;
	vprogram_note_printing(s, NULL);
	for (i = 0; i < p->context->member_count && code == CL_SUCCESS; i++) {
		if (!take_binaries(p, m->payloads, i, &b)) {
			call_fail(s, call, CL_INVALID_VALUE, "fewer binaries"
			    " than devices");
			return;
		}
		if (b.count > 0)
			p->o.native[i] = clCreateProgramWithBinary(
			    native(p->context, i), b.count, b.device, b.size,
			    b.binary, NULL, &code);
	}
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
	cl_int code = CL_SUCCESS;
	unsigned i, n;

	if (p == NULL)
		return;
	p->built_in = true;
	for (i = 0; i < p->context->member_count && code == CL_SUCCESS; i++) {
		n = vprogram_member_devices(p, &m->device_list, i, devices,
		    PROGRAM_DEVICES_MAX);
		if (n > 0)
			p->o.native[i] = clCreateProgramWithBuiltInKernels(
			    native(p->context, i), n, devices,
			    m->kernel_names.p, &code);
	}
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
	cl_int code = CL_SUCCESS;
	unsigned i;

	if (vprogram_wait(s, p))
		return;
	/* What was made of a binary takes none. */
	code = vprogram_make(p, &nothing);
	for (i = 0; i < p->context->member_count && code == CL_SUCCESS; i++)
		if (native(p, i) != NULL)
			code = clSetProgramSpecializationConstant(
			    native(p, i), (cl_uint)m->spec_id, m->value.n,
			    m->value.p);
	if (code == CL_SUCCESS)
		infoset_put(&p->constants, (uint32_t)m->spec_id, m->value.p,
		    m->value.n);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
	else
		call_reply(s, call, &done);
}
