/* SPDX-License-Identifier: ISC */
#include "hostd/build_reply.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/build_job.h"
#include "hostd/kernel_table.h"
#include "hostd/lost.h"
#include "hostd/reuse.h"

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
		r.log = span_text(text);
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
void
build_reply_send(struct build_job *j, cl_int status)
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
