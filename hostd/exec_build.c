/* SPDX-License-Identifier: ISC */
/*
 * exec_build - clBuildProgram, clCompileProgram and clLinkProgram.
 */
#include "hostd/calls.h"

#include <stdlib.h>

#include "hostd/build_job.h"
#include "hostd/program_code.h"

/* ---- clBuildProgram ---------------------------------------------------- */

static cl_int
run_build(struct build_job *j, const char *options)
{
	/* Built-in kernels are there; not every vendor knows that. */
	if (j->program->built_in)
		return CL_SUCCESS;
	return clBuildProgram(native(j->program, j->member), j->part_count,
	    j->part, options, NULL, NULL);
}

static void
fill_build(struct build_job *j, const struct msg_clBuildProgram *own)
{
	j->run = run_build;
	j->failure = CL_BUILD_PROGRAM_FAILURE;
	j->makes_kernels = true;
	j->options = own->options;
	j->dirs = own->include_dirs;
	j->source = own->source;
	j->manifest = own->manifest;
	j->files = own->files;
}

void
exec_clBuildProgram(struct serve *s, struct call *call,
    struct msg_clBuildProgram *m)
{
	struct vprogram *p = m->program.obj;
	struct msg_clBuildProgram own;
	struct build_job *j;

	if (vprogram_wait(s, p) ||
	    (j = build_job_new(s, call, p, &m->device_list, &own)) == NULL)
		return;
	fill_build(j, &own);
	build_job_start(j, call);
}

cl_int
program_build_again(struct vprogram *p, unsigned member, cl_device_id device,
    const struct msg_clBuildProgram *m)
{
	struct build_job *j = calloc(1, sizeof(*j));
	cl_int code;

	if (j == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	j->serve = p->context->serve;
	j->message = &desc_clBuildProgram;
	j->program = object_ref(p);
	fill_build(j, m);
	code = build_job_repeat(j, member, device);
	build_job_free(j);
	return code;
}

/* ---- clCompileProgram -------------------------------------------------- */

/*
 * A header whose include lines were rewritten is made anew for this once, and
 * one that was itself built from something else than its source.
 */
static cl_int
make_header(struct build_job *j, struct build_input *in)
{
	struct program_code source = { in->source, false, NULL };
	cl_program made;
	cl_int code;

	if ((in->made & 1u << j->member) || (in->source.n == 0 &&
	    (!in->remake || !program_code_get(&source,
	    &in->program->o, NULL))))
		return CL_SUCCESS;
	made = program_code_make(&source, native(j->program->context,
	    j->member), &code);
	if (code != CL_SUCCESS)
		return code;
	clReleaseProgram(in->native[j->member]);
	in->native[j->member] = made;
	in->made |= (uint8_t)(1u << j->member);
	return CL_SUCCESS;
}

static cl_int
make_headers(struct build_job *j)
{
	cl_int code = CL_SUCCESS;
	unsigned i;

	for (i = 0; code == CL_SUCCESS && i < j->input_count; i++)
		code = make_header(j, &j->input[i]);
	return code;
}

static cl_int
run_compile(struct build_job *j, const char *options)
{
	const unsigned n = j->input_count;
	cl_program *header = calloc(n + 1, sizeof(cl_program));
	const char **name = calloc(n + 1, sizeof(char *));
	cl_int code = CL_OUT_OF_HOST_MEMORY;
	unsigned i;

	if (header != NULL && name != NULL &&
	    (code = make_headers(j)) == CL_SUCCESS) {
		for (i = 0; i < n; i++) {
			header[i] = j->input[i].native[j->member];
			name[i] = j->input[i].name;
		}
		code = clCompileProgram(native(j->program, j->member),
		    j->part_count, j->part, options, n,
		    n > 0 ? header : NULL, n > 0 ? name : NULL, NULL, NULL);
		/* Oclgrind has one code for both. */
		if (code == CL_BUILD_PROGRAM_FAILURE)
			code = CL_COMPILE_PROGRAM_FAILURE;
	}
	free(header);
	free(name);
	return code;
}

/* Names and rewritten texts of the headers; false: the message is wrong. */
static bool
name_headers(struct build_job *j, struct span names, struct span sources)
{
	struct span element;
	unsigned i;

	if (names.n != j->input_count ||
	    (sources.n != 0 && sources.n != j->input_count))
		return false;
	for (i = 0; list_next(&names, &element); i++)
		j->input[i].name = element.p;
	for (i = 0; list_next(&sources, &element); i++)
		j->input[i].source = element;
	return true;
}

static bool
any_busy(struct serve *s, const struct span *list)
{
	uint64_t i;

	for (i = 0; i < list->n; i++)
		if (vprogram_wait(s, span_objects(list)[i]))
			return true;
	return false;
}

void
exec_clCompileProgram(struct serve *s, struct call *call,
    struct msg_clCompileProgram *m)
{
	struct vprogram *p = m->program.obj;
	struct msg_clCompileProgram own;
	struct build_job *j;

	if (vprogram_wait(s, p) || any_busy(s, &m->input_headers) ||
	    (j = build_job_new(s, call, p, &m->device_list, &own)) == NULL)
		return;
	if (!build_job_take_inputs(j, call, &m->input_headers)) {
		build_job_free(j);
		return;
	}
	if (!name_headers(j, own.header_names, own.header_sources)) {
		serve_fail(s, VGPU_EPROTO, "clCompileProgram: as many names as"
		    " headers expected");
		build_job_free(j);
		return;
	}
	j->run = run_compile;
	j->failure = CL_COMPILE_PROGRAM_FAILURE;
	j->options = own.options;
	j->dirs = own.include_dirs;
	j->source = own.source;
	j->manifest = own.manifest;
	j->files = own.files;
	build_job_start(j, call);
}

/* ---- clLinkProgram ----------------------------------------------------- */

static cl_int
run_link(struct build_job *j, const char *options)
{
	cl_program *input = calloc(j->input_count + 1, sizeof(cl_program));
	cl_int code = CL_OUT_OF_HOST_MEMORY;
	unsigned i;

	if (input == NULL)
		return code;
	for (i = 0; i < j->input_count; i++)
		input[i] = j->input[i].native[j->member];
	j->program->o.native[j->member] = clLinkProgram(
	    native(j->program->context, j->member), j->part_count, j->part,
	    options, j->input_count, input, NULL, NULL, &code);
	free(input);
	/* What was hidden from the client stays so. */
	for (i = 0; i < j->input_count; i++)
		if (j->input[i].program->wished)
			j->program->wished = true;
	return code;
}

void
exec_clLinkProgram(struct serve *s, struct call *call,
    struct msg_clLinkProgram *m)
{
	struct msg_clLinkProgram own;
	struct vprogram *p;
	struct build_job *j;

	if (any_busy(s, &m->input_programs))
		return;
	p = vprogram_new(s, call, m->id.id, m->context.obj, &m->device_list);
	if (p == NULL ||
	    (j = build_job_new(s, call, p, &m->device_list, &own)) == NULL)
		return;
	if (!build_job_take_inputs(j, call, &m->input_programs)) {
		build_job_free(j);
		return;
	}
	j->run = run_link;
	j->failure = CL_LINK_PROGRAM_FAILURE;
	j->makes_kernels = true;
	j->options = own.options;
	build_job_start(j, call);
}
