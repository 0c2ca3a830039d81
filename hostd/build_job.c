/* SPDX-License-Identifier: ISC */
#include "hostd/build_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/build_reply.h"
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

/* ---- in the worker ----------------------------------------------------- */

static void
build_anew(struct build_job *j)
{
	const int64_t began = clock_ns();

	build_reply_send(j, build_job_vendor(j));
	if (j->built)
		meter_built(j->program, (uint64_t)(clock_ns() - began));
}

static void
work(void *arg)
{
	struct build_job *j = arg;

	if (!has_includes(j))
		build_reply_send(j, j->failure);
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
