/* SPDX-License-Identifier: ISC */
/*
 * remake_program - a program made and built again for another device.
 *
 * Of what the client gave, where that is enough: source, an intermediate
 * language or a binary, and the message that built it, with the specialization
 * constants of then.  What was compiled for later, or linked, depends on other
 * programs, which may be gone; between devices of one class the vendor's binary
 * is as good.
 */
#include "hostd/remake.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/exec_program.h"
#include "hostd/program_code.h"
#include "hostd/reuse.h"

static cl_program
of_binary(cl_context context, cl_device_id device, const void *p, size_t n,
    cl_int *code)
{
	const unsigned char *binary = p;

	return clCreateProgramWithBinary(context, 1, &device, &n, &binary,
	    NULL, code);
}

/* ---- from what the client gave ----------------------------------------- */

static cl_program
make(const struct vprogram *p, cl_context context, cl_device_id device,
    const struct span *source, const struct infoset *constants, cl_int *code)
{
	struct msg_clCreateProgramWithBuiltInKernels built_in;
	struct msg_clCreateProgramWithBinary binary;
	struct program_code given;
	struct span first;

	*code = CL_INVALID_OPERATION;
	if (program_code_get(&given, &p->o, constants)) {
		if (source->n > 0)
			given = (struct program_code){ *source, false, NULL };
		return program_code_make(&given, context, code);
	}
	if (recipe_decode(&p->o, &desc_clCreateProgramWithBuiltInKernels,
	    &built_in))
		return clCreateProgramWithBuiltInKernels(context, 1, &device,
		    built_in.kernel_names.p, code);
	if (recipe_decode(&p->o, &desc_clCreateProgramWithBinary, &binary) &&
	    list_next(&binary.payloads, &first))
		return of_binary(context, device, first.p, first.n, code);
	return NULL;
}

/* A program that was never built takes all of its constants at once. */
static cl_int
make_with(struct vprogram *p, unsigned member, cl_device_id device,
    const struct span *source, size_t constants)
{
	struct infoset given;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	infoset_init(&given);
	if (infoset_load(&given, infoset_bytes(&p->constants), constants,
	    NULL) == VGPU_OK)
		p->o.native[member] = make(p, native(p->context, member),
		    device, source, &given, &code);
	infoset_fini(&given);
	return code;
}

static cl_int
make_and_build(struct vprogram *p, unsigned member, cl_device_id device)
{
	const struct recipe *r = p->build;
	const size_t constants = r != NULL ? p->built_constants :
	    infoset_size(&p->constants);
	struct msg_clBuildProgram m = { 0 };
	cl_int code;

	if (r != NULL && codec_decode(r->body, r->len,
	    desc_clBuildProgram.fields, desc_clBuildProgram.field_count, &m,
	    NULL) != VGPU_OK)
		return CL_INVALID_OPERATION;
	p->remade_rewritten = m.source.n > 0;
	code = make_with(p, member, device, &m.source, constants);
	if (code == CL_SUCCESS && r != NULL)
		code = program_build_again(p, member, device, &m);
	/* Those that were set later are for the next build. */
	if (code == CL_SUCCESS)
		code = program_code_set(native(p, member), &p->constants,
		    constants);
	return code;
}

/* ---- from the vendor's binary ------------------------------------------ */

/* CL_PROGRAM_BINARY_TYPE_NONE: it was not built, or the vendor can't tell. */
static cl_program_binary_type
type_of(const struct vprogram *p)
{
	cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;

	clGetProgramBuildInfo(native(p, 0), p->devices[0]->device,
	    CL_PROGRAM_BINARY_TYPE, sizeof(type), &type, NULL);
	return type;
}

/*
 * Kept from the first time on: a program that is made of a compiled object's
 * binary, and not built, has none of its own.
 */
static bool
keep_binary(struct vprogram *p)
{
	struct program_binary *b = p->binary;
	struct buf bytes;

	if (b != NULL)
		return true;
	buf_init(&bytes);
	if (reuse_read_binary(native(p, 0), &bytes) && (b = malloc(sizeof(*b) +
	    buf_len(&bytes))) != NULL) {
		b->type = type_of(p);
		b->size = buf_len(&bytes);
		memcpy(b->bytes, buf_front(&bytes), b->size);
	}
	buf_fini(&bytes);
	return (p->binary = b) != NULL;
}

static cl_int
copy_binary(struct vprogram *p, unsigned member, cl_device_id device)
{
	cl_int code;

	p->remade_rewritten = true;
	if (!keep_binary(p))
		return CL_INVALID_PROGRAM;
	p->o.native[member] = of_binary(native(p->context, member), device,
	    p->binary->bytes, p->binary->size, &code);
	if (code == CL_SUCCESS && p->binary->type ==
	    CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
		code = clBuildProgram(native(p, member), 1, &device, "", NULL,
		    NULL);
	return code;
}

/* It depends on other programs: those that were compiled for it. */
static bool
is_linked(const struct vprogram *p)
{
	return (p->build != NULL && p->build->number != MSG_clBuildProgram) ||
	    (p->o.recipe != NULL && p->o.recipe->number == MSG_clLinkProgram);
}

bool
program_is_for_class(const struct vprogram *p)
{
	return is_linked(p) || (p->o.recipe != NULL &&
	    p->o.recipe->number == MSG_clCreateProgramWithBinary);
}

cl_int
program_remake(struct vprogram *p, unsigned member, const struct vdevice *d)
{
	if (native(p, 0) == NULL)
		return CL_SUCCESS;
	return is_linked(p) ? copy_binary(p, member, d->device) :
	    make_and_build(p, member, d->device);
}
