/* SPDX-License-Identifier: ISC */
#include "hostd/build_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/kernel_table.h"
#include "hostd/lost.h"
#include "hostd/meter.h"
#include "hostd/program_code.h"
#include "hostd/reuse.h"
#include "hostd/worker.h"

#define ARG_INFO "-cl-kernel-arg-info"

/* ---- the vendor's part ------------------------------------------------- */

/*
 * Kinds of arguments are known for certain only if the vendor tells them, for
 * which many want an option; the client then has to ask whether the vendor
 * would have told without.
 */
static bool
needs_wish(const struct build_job *j)
{
	const struct vprogram *p = j->program;

	return j->message->number != MSG_clLinkProgram && !p->built_in &&
	    strstr(j->options.p, ARG_INFO) == NULL;
}

cl_int
build_job_run(struct build_job *j)
{
	free(j->given);
	if (asprintf(&j->given, "%s%s%s", (const char *)j->options.p,
	    j->includes.options != NULL ? j->includes.options : "",
	    j->program->wished ? " " ARG_INFO : "") < 0) {
		j->given = NULL;
		return CL_OUT_OF_HOST_MEMORY;
	}
	return j->run(j, j->given);
}

static bool
refused_options(cl_int code)
{
	return code == CL_INVALID_BUILD_OPTIONS ||
	    code == CL_INVALID_COMPILER_OPTIONS;
}

static cl_int
run_vendor(struct build_job *j)
{
	struct vprogram *p = j->program;
	cl_int code;

	if ((p->wished = needs_wish(j))) {
		code = build_job_run(j);
		if (!refused_options(code))
			return code;
		p->wished = false;
	}
	return build_job_run(j);
}

void
build_job_choose(struct build_job *j, unsigned member)
{
	unsigned i;

	j->member = member;
	j->part_count = 0;
	for (i = 0; i < j->device_count; i++)
		if (vprogram_member(j->program, j->device[i]) == member)
			j->part[j->part_count++] = j->device[i];
}

/* A program may be built for some members only; the last error counts. */
static cl_int
run_members(struct build_job *j)
{
	const struct vcontext *c = j->program->context;
	cl_int code = CL_SUCCESS, last = CL_SUCCESS;
	unsigned m;

	for (m = 0; m < c->member_count; m++) {
		build_job_choose(j, m);
		if (j->part_count == 0)
			continue;
		if ((code = run_vendor(j)) == CL_SUCCESS)
			j->built = true;
		else
			last = code;
	}
	return last;
}

/* Our own reason why there is nothing to build. */
static void
complain(struct build_job *j, const struct err_text *text)
{
	char escaped[ERR_TEXT_MAX];

	log_warn("include files: %s", log_escape(escaped, sizeof(escaped),
	    text->s, strlen(text->s)));
	if (asprintf(&j->complaint, "vgpu: include files: %s\n", text->s) < 0)
		j->complaint = NULL;
}

static bool
has_includes(struct build_job *j)
{
	struct err_text text = { "" };

	if (includes_open(&j->includes, j->serve->start.state_dir, &j->dirs,
	    &j->manifest, &j->files, &text) == VGPU_OK)
		return true;
	complain(j, &text);
	return false;
}

bool
build_job_code(const struct build_job *j, struct program_code *code)
{
	const struct vprogram *p = j->program;

	if (!program_code_get(code, &p->o, &p->constants))
		return false;
	if (j->source.n > 0)
		code->bytes = j->source;
	return true;
}

cl_int
build_job_vendor(struct build_job *j)
{
	cl_int code = vprogram_make(j->program, &j->source);

	return code == CL_SUCCESS ? run_members(j) : code;
}

/* ---- the reply --------------------------------------------------------- */

static char *
vendor_log(const struct build_job *j, cl_program p, cl_device_id d)
{
	size_t n = 0;
	char *log;

	if (clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) !=
	    CL_SUCCESS || (log = calloc(1, n + 1)) == NULL)
		return NULL;
	if (clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_LOG, n, log, NULL) !=
	    CL_SUCCESS)
		log[0] = '\0';
	includes_clean(&j->includes, log);
	return log;
}

/* False: the vendor does not tell how it ended; what r says is left. */
static bool
ask_device(cl_program p, cl_device_id d, struct msg_build_record *r)
{
	cl_build_status status = (cl_build_status)r->build_status;
	const bool told = clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_STATUS,
	    sizeof(status), &status, NULL) == CL_SUCCESS;
	cl_program_binary_type type;
	size_t global = 0;

	/* OpenCL 1.1 knows nothing but executables. */
	if (clGetProgramBuildInfo(p, d, CL_PROGRAM_BINARY_TYPE, sizeof(type),
	    &type, NULL) != CL_SUCCESS)
		type = status == CL_BUILD_SUCCESS ?
		    CL_PROGRAM_BINARY_TYPE_EXECUTABLE :
		    CL_PROGRAM_BINARY_TYPE_NONE;
	clGetProgramBuildInfo(p, d,
	    CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(global),
	    &global, NULL);
	r->build_status = status;
	r->binary_type = type;
	r->global_size = global;
	return told;
}

/* A build that the vendor does not tell enough about is not kept for others. */
static void
encode_device(struct build_job *j, unsigned i, cl_int status,
    bool has_kernels, struct buf *out)
{
	cl_program p = native(j->program, vprogram_member(j->program,
	    j->device[i]));
	const bool built = i < j->device_count;
	struct msg_build_record r = { .build_status = !built ? CL_BUILD_NONE :
		status == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR };
	char *log = NULL;
	const char *text = built ? j->complaint : NULL;

	if (text == NULL && p != NULL) {
		j->keep &= ask_device(p, j->device[i], &r);
		text = log = vendor_log(j, p, j->device[i]);
		j->keep &= log != NULL;
	}
	if (j->program->built_in && has_kernels) {
		r.build_status = CL_BUILD_SUCCESS;
		r.binary_type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
	}
	if (text != NULL)
		r.log = (struct span){ text, strlen(text) };
	buf_init(out);
	codec_encode(out, desc_build_record.fields,
	    desc_build_record.field_count, &r);
	free(log);
}

/*
 * A library has no kernels to make, and Intel's runtime crashes when asked for
 * them.  Where the vendor can't tell (OpenCL 1.1), what was built runs.
 */
static bool
is_library(const struct build_job *j)
{
	cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;

	clGetProgramBuildInfo(native(j->program, vprogram_member(j->program,
	    j->device[0])), j->device[0], CL_PROGRAM_BINARY_TYPE,
	    sizeof(type), &type, NULL);
	return type == CL_PROGRAM_BINARY_TYPE_LIBRARY;
}

/* The three replies begin alike; clCompileProgram's has no kernels. */
static void
reply(struct build_job *j, cl_int status)
{
	struct buf record[PROGRAM_DEVICES_MAX];
	struct span span[PROGRAM_DEVICES_MAX];
	struct kernel_table kernels = { 0 };
	struct reply_clBuildProgram r = { .status = status,
		.devices = { span, j->told_count } };
	cl_int code;
	unsigned i;

	if (j->built && j->makes_kernels && !is_library(j)) {
		code = kernel_table_open(&kernels, j->program);
		r.status = status != CL_SUCCESS ? status : code;
		r.kernels = (struct span){ kernels.spans, kernels.count };
	}
	for (i = 0; i < j->told_count; i++) {
		encode_device(j, i, status, kernels.count > 0, &record[i]);
		span[i] = (struct span){ buf_front(&record[i]),
			buf_len(&record[i]) };
	}
	j->good = r.status == CL_SUCCESS;
	lost_note(j->serve, j->program->devices[0], (cl_int)r.status);
	reuse_hold();
	serve_reply(j->serve, j->message, j->serial, &r);
	if (j->keep && r.status == CL_SUCCESS)
		reuse_keep(j, &r, j->given);
	reuse_let_go();
	for (i = 0; i < j->told_count; i++)
		buf_fini(&record[i]);
	vprogram_set_kinds(j->program, kernels.kinds, kernels.count);
	kernels.kinds = NULL;
	kernel_table_fini(&kernels);
}

static void
build_anew(struct build_job *j)
{
	const int64_t began = clock_ns();

	reply(j, build_job_vendor(j));
	if (j->built)
		meter_built(j->program, (uint64_t)(clock_ns() - began));
}

static void
work(void *arg)
{
	struct build_job *j = arg;

	if (!has_includes(j))
		reply(j, j->failure);
	else if (reuse_answer(j))
		meter_built(j->program, 0);
	else
		build_anew(j);
}

cl_int
build_job_repeat(struct build_job *j, unsigned member, cl_device_id device)
{
	if (!has_includes(j))
		return j->failure;
	j->member = member;
	j->part[0] = device;
	j->part_count = 1;
	return run_vendor(j);
}

/* Without it the program stays where it is, and nothing else is wrong. */
static void
keep_message(const struct build_job *j)
{
	struct recipe *r = malloc(sizeof(*r) + j->len);

	free(j->program->binary);
	j->program->binary = NULL;
	free(j->program->build);
	j->program->build = r;
	j->program->built_constants = infoset_size(&j->program->constants);
	if (r == NULL)
		return;
	r->number = j->message->number;
	r->len = j->len;
	memcpy(r->body, j->bytes, j->len);
}

static void
done(struct serve *s, void *arg)
{
	struct build_job *j = arg;

	if (j->good && j->program->context->moves)
		keep_message(j);
	vprogram_settle(s, j->program);
	build_job_free(j);
}

/* ---- its life ---------------------------------------------------------- */

void
build_job_free(struct build_job *j)
{
	unsigned i, m;

	for (i = 0; i < j->input_count; i++) {
		for (m = 0; m < MEMBERS_MAX; m++)
			if (j->input[i].native[m] != NULL)
				clReleaseProgram(j->input[i].native[m]);
		object_unref(j->input[i].program);
	}
	includes_fini(&j->includes);
	object_unref(j->program);
	free(j->input);
	free(j->complaint);
	free(j->given);
	free(j->bytes);
	free(j);
}

static bool
copy_message(struct build_job *j, const struct call *call, void *decoded)
{
	const struct message *m = call->message;

	if ((j->bytes = malloc(call->len + 1)) == NULL)
		return false;
	memcpy(j->bytes, call->body, call->len);
	j->len = call->len;
	return codec_decode(j->bytes, call->len, m->fields, m->field_count,
	    decoded, NULL) == VGPU_OK;
}

/* Behind the devices to build for, the program's others. */
static void
add_others(struct build_job *j)
{
	const struct vprogram *p = j->program;
	unsigned i, k;

	j->told_count = j->device_count;
	for (i = 0; i < p->device_count; i++) {
		for (k = 0; k < j->device_count; k++)
			if (j->device[k] == p->devices[i]->device)
				break;
		if (k == j->device_count && j->told_count < PROGRAM_DEVICES_MAX)
			j->device[j->told_count++] = p->devices[i]->device;
	}
}

struct build_job *
build_job_new(struct serve *s, struct call *call, struct vprogram *p,
    const struct span *devices, void *decoded)
{
	struct build_job *j = calloc(1, sizeof(*j));

	if (j == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return NULL;
	}
	j->serve = s;
	j->message = call->message;
	j->serial = call->serial;
	j->program = object_ref(p);
	j->device_count = vprogram_devices(p, devices, j->device,
	    PROGRAM_DEVICES_MAX);
	add_others(j);
	if (!copy_message(j, call, decoded)) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		build_job_free(j);
		return NULL;
	}
	return j;
}

bool
build_job_take_inputs(struct build_job *j, struct call *call,
    const struct span *list)
{
	struct vprogram *p;
	unsigned m;
	uint64_t i;

	if ((j->input = calloc(list->n + 1, sizeof(*j->input))) == NULL) {
		call_fail(j->serve, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return false;
	}
	for (i = 0; i < list->n; i++) {
		p = span_objects(list)[i];
		j->input[i].program = object_ref(p);
		j->input[i].remake = p->rewritten;
		for (m = 0; m < MEMBERS_MAX; m++) {
			j->input[i].native[m] = native(p, m);
			if (native(p, m) != NULL)
				clRetainProgram(native(p, m));
		}
	}
	j->input_count = (unsigned)list->n;
	return true;
}

/* A file that prints counts like a source that does. */
static void
note_printing(struct serve *s, struct span files, const struct span *source)
{
	struct span file;

	vprogram_note_printing(s, source);
	while (!s->may_print && list_next(&files, &file))
		vprogram_note_printing(s, &file);
}

void
build_job_start(struct build_job *j, struct call *call)
{
	note_printing(j->serve, j->files, &j->source);
	j->program->busy = true;
	if (worker_run(j->serve, work, done, j))
		return;
	j->program->busy = false;
	call_fail(j->serve, call, CL_OUT_OF_HOST_MEMORY, "no thread");
	build_job_free(j);
}
