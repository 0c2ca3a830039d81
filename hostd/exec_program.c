/* SPDX-License-Identifier: ISC */
#include "hostd/exec_program.h"

#include <stdlib.h>
#include <string.h>

static void
vprogram_fini(struct vobj *o)
{
	struct vprogram *p = (struct vprogram *)o;
	unsigned i;

	if (native(p, 0) != NULL)
		clReleaseProgram(native(p, 0));
	for (i = 0; i < p->device_count; i++)
		object_unref(p->devices[i]);
	free(p->devices);
	object_unref(p->context);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->settled);
}

void
vprogram_settle(struct vprogram *p)
{
	pthread_mutex_lock(&p->lock);
	while (p->building)
		pthread_cond_wait(&p->settled, &p->lock);
	pthread_mutex_unlock(&p->lock);
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
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->settled, NULL);
	p->context = object_ref(c);
	if ((p->devices = calloc(n, sizeof(struct vdevice *))) == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return NULL;
	}
	for (i = 0; i < n; i++)
		p->devices[i] = object_ref(list->n > 0 ?
		    span_objects(list)[i] : (void *)c->devices[i]);
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
		d = list->n > 0 ? span_objects(list)[i] :
		    (const void *)p->devices[i];
		out[i] = d->device;
	}
	return n;
}

/* ---- creation ---------------------------------------------------------- */

/* Kernels that print need standard output looked at (output.h). */
static void
note_printing(struct serve *s, const struct span *source)
{
	if (source == NULL ||
	    memmem(source->p, source->n, "printf", 6) != NULL)
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
	p->from_source = true;
	note_printing(s, &m->source);
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
	p->from_source = true;
	note_printing(s, NULL);
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
	note_printing(s, NULL);
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
	struct vprogram *p = m->program.obj;
	cl_int code;

	vprogram_settle(p);
	code = clSetProgramSpecializationConstant(native(p, 0),
	    (cl_uint)m->spec_id, m->value.n, m->value.p);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

/* ---- binaries ---------------------------------------------------------- */

/* All binaries, in the vendor's order of devices. */
static cl_int
read_binaries(cl_program program, size_t *size, unsigned char **binary,
    unsigned n)
{
	cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES,
	    n * sizeof(*size), size, NULL);
	unsigned i;

	for (i = 0; code == CL_SUCCESS && i < n; i++)
		if (size[i] > 0 && (binary[i] = malloc(size[i])) == NULL)
			code = CL_OUT_OF_HOST_MEMORY;
	if (code == CL_SUCCESS)
		code = clGetProgramInfo(program, CL_PROGRAM_BINARIES,
		    n * sizeof(*binary), binary, NULL);
	return code;
}

/* Where the vendor lists a device of the program; n: nowhere. */
static unsigned
vendor_place(const cl_device_id *listed, unsigned n, cl_device_id device)
{
	unsigned i;

	for (i = 0; i < n && listed[i] != device; i++)
		;
	return i;
}

static void
reply_binaries(struct serve *s, struct call *call, const struct vprogram *p,
    const size_t *size, unsigned char **binary, const cl_device_id *listed,
    unsigned n)
{
	struct span spans[PROGRAM_DEVICES_MAX];
	struct reply_program_binaries r = {
		.binaries = { spans, p->device_count } };
	unsigned i, at;

	for (i = 0; i < p->device_count; i++) {
		at = vendor_place(listed, n, p->devices[i]->device);
		spans[i] = at < n ? (struct span){ binary[at], size[at] } :
		    (struct span){ NULL, 0 };
	}
	call_reply(s, call, &r);
}

void
exec_program_binaries(struct serve *s, struct call *call,
    struct msg_program_binaries *m)
{
	struct vprogram *p = m->program.obj;
	cl_device_id listed[PROGRAM_DEVICES_MAX];
	size_t size[PROGRAM_DEVICES_MAX] = { 0 };
	unsigned char *binary[PROGRAM_DEVICES_MAX] = { NULL };
	cl_uint n = 0;
	cl_int code;
	unsigned i;

	vprogram_settle(p);
	code = clGetProgramInfo(native(p, 0), CL_PROGRAM_NUM_DEVICES,
	    sizeof(n), &n, NULL);
	if (code == CL_SUCCESS && n > PROGRAM_DEVICES_MAX)
		code = CL_OUT_OF_HOST_MEMORY;
	if (code == CL_SUCCESS)
		code = clGetProgramInfo(native(p, 0), CL_PROGRAM_DEVICES,
		    sizeof(listed), listed, NULL);
	if (code == CL_SUCCESS)
		code = read_binaries(native(p, 0), size, binary, n);
	if (code == CL_SUCCESS)
		reply_binaries(s, call, p, size, binary, listed, n);
	else
		call_fail(s, call, code, NULL);
	for (i = 0; i < PROGRAM_DEVICES_MAX; i++)
		free(binary[i]);
}
