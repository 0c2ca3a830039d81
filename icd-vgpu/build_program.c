/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/build.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/shipment.h"

/* What a failure to collect the client's files is for the application. */
static cl_int
shipment_code(enum vgpu_err e, cl_int failure)
{
	return e == VGPU_ENOMEM ? CL_OUT_OF_HOST_MEMORY : failure;
}

static bool
needs_compiler(const struct program *p)
{
	return p->origin == PROGRAM_SOURCE || p->origin == PROGRAM_IL;
}

/* With source or IL, each device needs a compiler (OpenCL 3.0, 5.8.2). */
static bool
has_compilers(const struct build *b)
{
	cl_uint i;

	for (i = 0; i < b->count; i++)
		if (!device_u64(b->program->device[b->index[i]].device,
		    CL_DEVICE_COMPILER_AVAILABLE))
			return false;
	return true;
}

/* ---- clBuildProgram ---------------------------------------------------- */

static void
build_then(void *arg, cl_int status, const void *reply)
{
	const struct reply_clBuildProgram *r = reply;

	build_take(arg, status, r != NULL ? &r->devices : NULL,
	    r != NULL ? &r->kernels : NULL);
}

static cl_int
send_build(struct build *b, const struct build_request *r,
    struct err_text *text)
{
	const struct program *p = b->program;
	const struct include_source source = { .text = p->source,
		.len = p->source_len };
	struct msg_clBuildProgram m;
	struct shipment ship;
	enum vgpu_err e;
	cl_int code;

	e = shipment_init(&ship, r->options, &source,
	    p->source != NULL ? 1 : 0, text);
	if (e != VGPU_OK)
		return shipment_code(e, r->failure);
	shipment_begin(&ship);
	m.program.id = p->o.id;
	m.device_list = build_devices(b, r);
	m.options = ship.options_text;
	m.include_dirs = ship.include_dirs;
	m.source = ship.source;
	m.manifest = ship.manifest_bytes;
	m.files = ship.files;
	code = build_send(b, &desc_clBuildProgram, &m, build_then);
	shipment_sent(&ship, code == CL_SUCCESS);
	shipment_fini(&ship);
	return code;
}

static cl_int
build_run(struct program *p, const struct build_request *r)
{
	struct err_text text = { "" };
	struct build *b;
	cl_int code;

	if ((code = build_begin(&b, p, r)) != CL_SUCCESS)
		return code;
	if (needs_compiler(p) && !has_compilers(b))
		code = CL_COMPILER_NOT_AVAILABLE;
	else
		code = send_build(b, r, &text);
	return build_end(b, code, text.s);
}

cl_int
icd_clBuildProgram(cl_program program, cl_uint num_devices,
    const cl_device_id *device_list, const char *options,
    pfn_program pfn_notify, void *user_data)
{
	struct program *p = program_check(program);

	if (p == NULL)
		return CL_INVALID_PROGRAM;
	if (p->origin == PROGRAM_LINKED)
		return CL_INVALID_OPERATION;
	return build_run(p, &(struct build_request){
	    .device_count = num_devices, .devices = device_list,
	    .options = options, .notify = pfn_notify, .user_data = user_data,
	    .failure = CL_BUILD_PROGRAM_FAILURE });
}

cl_int
build_prepare(struct program *p)
{
	return build_run(p, &(struct build_request){
	    .failure = CL_BUILD_PROGRAM_FAILURE });
}

/* ---- clCompileProgram -------------------------------------------------- */

struct headers {
	cl_uint n;
	const cl_program *program;
	const char **name;
	uint64_t *ids;
	struct span *names;
	struct include_source *source;	/* the program's, then theirs */
};

static void
headers_fini(struct headers *h)
{
	free(h->ids);
	free(h->names);
	free(h->source);
}

static cl_int
headers_init(struct headers *h, const struct program *p)
{
	const struct program *header;
	cl_uint i;

	h->ids = calloc(h->n + 1, sizeof(*h->ids));
	h->names = calloc(h->n + 1, sizeof(*h->names));
	h->source = calloc(h->n + 1, sizeof(*h->source));
	if (h->ids == NULL || h->names == NULL || h->source == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	h->source[0].text = p->source;
	h->source[0].len = p->source_len;
	for (i = 0; i < h->n; i++) {
		if ((header = program_check(h->program[i])) == NULL)
			return CL_INVALID_PROGRAM;
		if (header->context != p->context)
			return CL_INVALID_CONTEXT;
		if (h->name[i] == NULL)
			return CL_INVALID_VALUE;
		if (header->source == NULL)
			return CL_INVALID_OPERATION;
		h->ids[i] = header->o.id;
		h->names[i] = (struct span){ h->name[i], strlen(h->name[i]) };
		h->source[i + 1] = (struct include_source){ h->name[i],
			header->source, header->source_len };
	}
	return CL_SUCCESS;
}

static void
compile_then(void *arg, cl_int status, const void *reply)
{
	const struct reply_clCompileProgram *r = reply;

	build_take(arg, status, r != NULL ? &r->devices : NULL, NULL);
}

static cl_int
send_compile(struct build *b, const struct build_request *r,
    const struct headers *h, struct err_text *text)
{
	struct msg_clCompileProgram m;
	struct shipment ship;
	enum vgpu_err e;
	cl_int code;

	e = shipment_init(&ship, r->options, h->source,
	    b->program->source != NULL ? h->n + 1 : 0, text);
	if (e != VGPU_OK)
		return shipment_code(e, r->failure);
	shipment_begin(&ship);
	m.program.id = b->program->o.id;
	m.device_list = build_devices(b, r);
	m.options = ship.options_text;
	m.input_headers = (struct span){ h->ids, h->n };
	m.header_names = (struct span){ h->names, h->n };
	m.header_sources = ship.header_sources;
	m.include_dirs = ship.include_dirs;
	m.source = ship.source;
	m.manifest = ship.manifest_bytes;
	m.files = ship.files;
	code = build_send(b, &desc_clCompileProgram, &m, compile_then);
	shipment_sent(&ship, code == CL_SUCCESS);
	shipment_fini(&ship);
	return code;
}

static cl_int
compile_run(struct program *p, const struct build_request *r,
    struct headers *h)
{
	struct err_text text = { "" };
	struct build *b;
	cl_int code;

	if ((code = headers_init(h, p)) != CL_SUCCESS ||
	    (code = build_begin(&b, p, r)) != CL_SUCCESS)
		return code;
	if (!has_compilers(b))
		code = CL_COMPILER_NOT_AVAILABLE;
	else
		code = send_compile(b, r, h, &text);
	return build_end(b, code, text.s);
}

cl_int
icd_clCompileProgram(cl_program program, cl_uint num_devices,
    const cl_device_id *device_list, const char *options,
    cl_uint num_input_headers, const cl_program *input_headers,
    const char **header_include_names, pfn_program pfn_notify,
    void *user_data)
{
	struct program *p = program_check(program);
	struct headers h = { .n = num_input_headers,
		.program = input_headers, .name = header_include_names };
	cl_int code;

	if (p == NULL)
		return CL_INVALID_PROGRAM;
	if ((num_input_headers == 0) != (input_headers == NULL) ||
	    (num_input_headers == 0) != (header_include_names == NULL))
		return CL_INVALID_VALUE;
	if (!needs_compiler(p))
		return CL_INVALID_OPERATION;
	code = compile_run(p, &(struct build_request){
	    .device_count = num_devices, .devices = device_list,
	    .options = options, .notify = pfn_notify, .user_data = user_data,
	    .failure = CL_COMPILE_PROGRAM_FAILURE }, &h);
	headers_fini(&h);
	return code;
}
