/* SPDX-License-Identifier: ISC */
/*
 * exec_build - builds, compiles and links, each on a thread of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "hostd/exec_program.h"
#include "hostd/includes.h"
#include "hostd/kernel_table.h"

#define ARG_INFO "-cl-kernel-arg-info"

/* One build under way; a copy of all that its message held. */
struct job {
	struct serve *serve;
	const struct message *message;
	uint64_t serial;
	struct vprogram *program;	/* a reference; built or linked */
	unsigned device_count;
	cl_device_id device[PROGRAM_DEVICES_MAX];
	char *options;
	struct includes includes;
	cl_uint input_count;		/* headers, or programs to link */
	cl_program *input;
	struct vobj **input_object;	/* references */
	const char **header_name;
	struct span names;		/* what they point into */
	cl_int (*run)(struct job *);
	bool makes_kernels;
};

/* ---- what the reply says ----------------------------------------------- */

static char *
build_log(const struct job *j, cl_program p, cl_device_id d)
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

static void
encode_device(const struct job *j, cl_program p, cl_device_id d,
    struct buf *out)
{
	cl_build_status status = CL_BUILD_ERROR;
	cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
	size_t global = 0;
	char *log = p != NULL ? build_log(j, p, d) : NULL;
	struct msg_build_record r = {
		.log = { log != NULL ? log : "", log != NULL ? strlen(log) : 0 }
	};

	if (p != NULL) {
		clGetProgramBuildInfo(p, d, CL_PROGRAM_BUILD_STATUS,
		    sizeof(status), &status, NULL);
		clGetProgramBuildInfo(p, d, CL_PROGRAM_BINARY_TYPE,
		    sizeof(type), &type, NULL);
		clGetProgramBuildInfo(p, d,
		    CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
		    sizeof(global), &global, NULL);
	}
	r.build_status = status;
	r.binary_type = type;
	r.global_size = global;
	buf_init(out);
	codec_encode(out, desc_build_record.fields,
	    desc_build_record.field_count, &r);
	free(log);
}

/* The three replies begin alike; clCompileProgram's has no kernels. */
static void
job_reply(struct job *j, cl_int status)
{
	struct buf record[PROGRAM_DEVICES_MAX];
	struct span span[PROGRAM_DEVICES_MAX];
	struct kernel_table kernels = { 0 };
	struct reply_clBuildProgram r = { .status = status,
		.devices = { span, j->device_count } };
	cl_program p = native(j->program, 0);
	unsigned i;

	if (status == CL_SUCCESS && j->makes_kernels) {
		r.status = kernel_table_open(&kernels, j->program, p);
		r.kernels = (struct span){ kernels.spans, kernels.count };
	}
	for (i = 0; i < j->device_count; i++) {
		encode_device(j, p, j->device[i], &record[i]);
		span[i] = (struct span){ buf_front(&record[i]),
			buf_len(&record[i]) };
	}
	serve_reply(j->serve, j->message, j->serial, &r);
	for (i = 0; i < j->device_count; i++)
		buf_fini(&record[i]);
	kernel_table_fini(&kernels);
}

/* ---- jobs -------------------------------------------------------------- */

static void
job_free(struct job *j)
{
	cl_uint i;

	for (i = 0; i < j->input_count && j->input_object != NULL; i++)
		object_unref(j->input_object[i]);
	includes_fini(&j->includes);
	object_unref(j->program);
	free(j->input);
	free(j->input_object);
	free(j->header_name);
	free((void *)(uintptr_t)j->names.p);
	free(j->options);
	free(j);
}

static void *
job_thread(void *arg)
{
	struct job *j = arg;
	struct vprogram *p = j->program;
	cl_int status = j->run(j);

	/* Settled before the reply, as the client may use it then. */
	pthread_mutex_lock(&p->lock);
	job_reply(j, status);
	p->building = false;
	pthread_cond_broadcast(&p->settled);
	pthread_mutex_unlock(&p->lock);
	job_free(j);
	return NULL;
}

static void
job_start(struct job *j, struct call *call)
{
	pthread_t thread;

	j->program->building = true;
	if (pthread_create(&thread, NULL, job_thread, j) == 0) {
		pthread_detach(thread);
		return;
	}
	j->program->building = false;
	call_fail(j->serve, call, CL_OUT_OF_HOST_MEMORY, "no thread");
	job_free(j);
}

static struct job *
job_new(struct serve *s, struct call *call, struct vprogram *p,
    const struct span *devices, cl_int (*run)(struct job *))
{
	struct job *j = calloc(1, sizeof(*j));

	if (j == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return NULL;
	}
	j->serve = s;
	j->message = call->message;
	j->serial = call->serial;
	j->program = object_ref(p);
	j->run = run;
	j->device_count = vprogram_devices(p, devices, j->device,
	    PROGRAM_DEVICES_MAX);
	return j;
}

/*
 * The user's options, the mirror's folders, and the wish for arguments' names
 * where this vendor has to be asked for them.
 */
static bool
job_options(struct job *j, const struct span *options)
{
	const char *user = options->p, *wish = "";
	const char *more = j->includes.options != NULL ? j->includes.options :
	    "";

	if (j->program->from_source && strstr(user, ARG_INFO) == NULL &&
	    infoset_u32(&j->program->devices[0]->pool->info,
	    POOL_PARAM_ARG_INFO, 0) == 0)
		wish = " " ARG_INFO;
	return asprintf(&j->options, "%s%s%s", user, more, wish) >= 0;
}

/* Put the rewritten source in the place of the one given at creation. */
static cl_int
replace_source(struct vprogram *p, const struct span *source)
{
	const char *text = source->p;
	size_t n = source->n;
	cl_program made;
	cl_int code;

	if (n == 0)
		return CL_SUCCESS;
	made = clCreateProgramWithSource(native(p->context, 0), 1, &text, &n,
	    &code);
	if (code != CL_SUCCESS)
		return code;
	clReleaseProgram(native(p, 0));
	p->o.native[0] = made;
	return CL_SUCCESS;
}

/* A file that prints counts like a source that does. */
static void
note_printing(struct serve *s, struct span files, const struct span *source)
{
	struct span file;

	if (memmem(source->p, source->n, "printf", 6) != NULL)
		s->may_print = true;
	while (!s->may_print && list_next(&files, &file))
		s->may_print = memmem(file.p, file.n, "printf", 6) != NULL;
}

struct shipped {
	const struct span *dirs, *manifest, *files, *source, *options;
};

/* Prepare files, source and options; false: the call has failed. */
static bool
job_ship(struct job *j, struct call *call, const struct shipped *f)
{
	struct err_text text;
	cl_int code;

	if (includes_open(&j->includes, j->serve->start.state_dir, f->dirs,
	    f->manifest, f->files, &text) != VGPU_OK) {
		log_warn("include files: %s", text.s);
		call_fail(j->serve, call, CL_OUT_OF_HOST_MEMORY, text.s);
		return false;
	}
	note_printing(j->serve, *f->files, f->source);
	code = replace_source(j->program, f->source);
	if (code == CL_SUCCESS && !job_options(j, f->options))
		code = CL_OUT_OF_HOST_MEMORY;
	if (code != CL_SUCCESS)
		call_fail(j->serve, call, code, NULL);
	return code == CL_SUCCESS;
}

/* ---- clBuildProgram ---------------------------------------------------- */

static cl_int
run_build(struct job *j)
{
	return clBuildProgram(native(j->program, 0), j->device_count,
	    j->device, j->options, NULL, NULL);
}

void
exec_clBuildProgram(struct serve *s, struct call *call,
    struct msg_clBuildProgram *m)
{
	struct vprogram *p = m->program.obj;
	const struct shipped f = { &m->include_dirs, &m->manifest, &m->files,
		&m->source, &m->options };
	struct job *j;

	vprogram_settle(p);
	if ((j = job_new(s, call, p, &m->device_list, run_build)) == NULL)
		return;
	j->makes_kernels = true;
	if (job_ship(j, call, &f))
		job_start(j, call);
	else
		job_free(j);
}

/* ---- clCompileProgram -------------------------------------------------- */

static cl_int
run_compile(struct job *j)
{
	return clCompileProgram(native(j->program, 0), j->device_count,
	    j->device, j->options, j->input_count, j->input, j->header_name,
	    NULL, NULL);
}

/* Native programs of a message's list, kept in use by the job. */
static bool
take_inputs(struct job *j, const struct span *list)
{
	uint64_t i;

	j->input = calloc(list->n + 1, sizeof(cl_program));
	j->input_object = calloc(list->n + 1, sizeof(struct vobj *));
	if (j->input == NULL || j->input_object == NULL)
		return false;
	for (i = 0; i < list->n; i++) {
		struct vprogram *p = span_objects(list)[i];

		vprogram_settle(p);
		j->input_object[i] = object_ref(p);
		j->input[i] = native(p, 0);
	}
	j->input_count = (cl_uint)list->n;
	return true;
}

/* Header programs whose include lines were rewritten are made anew. */
static cl_int
replace_headers(struct job *j, struct span sources)
{
	struct span source;
	cl_int code = CL_SUCCESS;
	cl_uint i;

	for (i = 0; i < j->input_count && code == CL_SUCCESS &&
	    list_next(&sources, &source); i++) {
		code = replace_source((struct vprogram *)j->input_object[i],
		    &source);
		j->input[i] = native(j->input_object[i], 0);
	}
	return code;
}

/* The message's bytes are gone when the job runs: copy the names. */
static bool
take_names(struct job *j, struct span names)
{
	struct span name;
	cl_uint i;
	struct buf b;
	size_t at = 0;

	buf_init(&b);
	j->header_name = calloc(names.n + 1, sizeof(char *));
	if (j->header_name == NULL || names.n != j->input_count)
		return false;
	for (i = 0; list_next(&names, &name); i++)
		buf_append(&b, name.p, name.n + 1);
	j->names.p = b.data;
	for (i = 0; !b.failed && i < j->input_count; i++) {
		j->header_name[i] = (char *)b.data + at;
		at += strlen(j->header_name[i]) + 1;
	}
	return !b.failed;
}

void
exec_clCompileProgram(struct serve *s, struct call *call,
    struct msg_clCompileProgram *m)
{
	struct vprogram *p = m->program.obj;
	const struct shipped f = { &m->include_dirs, &m->manifest, &m->files,
		&m->source, &m->options };
	struct job *j;

	vprogram_settle(p);
	if ((j = job_new(s, call, p, &m->device_list, run_compile)) == NULL)
		return;
	if (!take_inputs(j, &m->input_headers) ||
	    !take_names(j, m->header_names) ||
	    replace_headers(j, m->header_sources) != CL_SUCCESS) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		job_free(j);
		return;
	}
	if (job_ship(j, call, &f))
		job_start(j, call);
	else
		job_free(j);
}

/* ---- clLinkProgram ----------------------------------------------------- */

static cl_int
run_link(struct job *j)
{
	cl_int code;

	j->program->o.native[0] = clLinkProgram(native(j->program->context, 0),
	    j->device_count, j->device, j->options, j->input_count, j->input,
	    NULL, NULL, &code);
	return code;
}

void
exec_clLinkProgram(struct serve *s, struct call *call,
    struct msg_clLinkProgram *m)
{
	struct vprogram *p = vprogram_new(s, call, m->id.id, m->context.obj,
	    &m->device_list);
	struct job *j;

	if (p == NULL)
		return;
	s->may_print = true;
	if ((j = job_new(s, call, p, &m->device_list, run_link)) == NULL)
		return;
	j->makes_kernels = true;
	if (take_inputs(j, &m->input_programs) &&
	    job_options(j, &m->options)) {
		job_start(j, call);
		return;
	}
	call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
	job_free(j);
}
