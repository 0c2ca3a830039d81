/* SPDX-License-Identifier: ISC */
/*
 * build_job - one build, compilation or linking in a worker, and its reply.
 *
 * The loop fills in what the vendor's function needs and starts the job; the
 * worker has the program to itself until it is settled (exec_program.h).
 */
#ifndef VGPU_HOSTD_BUILD_JOB_H
#define VGPU_HOSTD_BUILD_JOB_H

#include "common/sha256.h"
#include "hostd/exec_program.h"
#include "hostd/includes.h"

struct program_code;

/* Another program that the job reads: a header, or one to be linked. */
struct build_input {
	struct vprogram *program;	/* a reference */
	const char *name;		/* of a header, in the job's bytes */
	struct span source;		/* rewritten, or empty */
	bool remake;			/* native is made of something else */
	cl_program native[MEMBERS_MAX];	/* retained */
	uint8_t made;			/* bit m: of the source, in member m */
};

struct build_job {
	struct serve *serve;
	const struct message *message;
	uint64_t serial;
	struct vprogram *program;	/* a reference */
	unsigned device_count;		/* to build for */
	unsigned told_count;		/* to tell of: all of the program's */
	cl_device_id device[PROGRAM_DEVICES_MAX];
	/* Being built: those of a member. */
	unsigned member, part_count;
	cl_device_id part[PROGRAM_DEVICES_MAX];
	bool built;			/* in some member */
	bool good;			/* the client was told so */
	/* Into bytes, a copy of the message. */
	struct span options, dirs, source, manifest, files;
	uint64_t *bytes;
	size_t len;
	struct includes includes;
	unsigned input_count;
	struct build_input *input;
	cl_int (*run)(struct build_job *, const char *options);
	cl_int failure;		/* CL_BUILD_PROGRAM_FAILURE or its like */
	bool makes_kernels;
	char *given;		/* the options that the vendor got last */
	bool keep;		/* under key (reuse.h) */
	uint8_t key[SHA256_LEN];
	char *complaint;	/* a log of our own, or NULL */
};

/*
 * A job for the message of a call; decoded (a struct of its type) is filled in
 * again, with spans into the job's own copy.  NULL: the call has failed.
 */
struct build_job *build_job_new(struct serve *, struct call *,
    struct vprogram *, const struct span *devices, void *decoded);

/* Keep the programs of a resolved list; false: the call has failed. */
bool build_job_take_inputs(struct build_job *, struct call *,
    const struct span *list);

/* What is compiled, includes rewritten; false: it is no source or IL. */
bool build_job_code(const struct build_job *, struct program_code *);

/* Start it, or fail the call.  Takes the job. */
void build_job_start(struct build_job *, struct call *);

/*
 * In the job's worker: have the vendor build what the client gave; and, for
 * whatever the native program is made of, with all options but those that the
 * vendor may not know.
 */
cl_int build_job_vendor(struct build_job *);
cl_int build_job_run(struct build_job *);

/*
 * In the worker that has the program: have the vendor do the job again for a
 * member of one device, whose native program is there.
 */
cl_int build_job_repeat(struct build_job *, unsigned member, cl_device_id);

/* Before build_job_run: the devices are those of this member. */
void build_job_choose(struct build_job *, unsigned member);

void build_job_free(struct build_job *);

#endif
