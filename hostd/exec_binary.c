/* SPDX-License-Identifier: ISC */
/*
 * exec_binary - the binaries of programs, which some vendors only make when
 * they are asked for.
 */
#include "hostd/calls.h"

#include <stdlib.h>

#include "hostd/exec_program.h"
#include "hostd/worker.h"

struct reading {
	struct serve *serve;
	struct vprogram *program;	/* a reference */
	uint64_t serial;
	cl_uint count;			/* of devices, as the vendors have them */
	cl_device_id device[PROGRAM_DEVICES_MAX];
	size_t size[PROGRAM_DEVICES_MAX];
	unsigned char *binary[PROGRAM_DEVICES_MAX];
};

/* The vendor's list of devices, behind those of the members before. */
static cl_int
read_devices(struct reading *r, cl_program p, cl_uint *n)
{
	cl_int code = clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof(*n),
	    n, NULL);

	if (code != CL_SUCCESS)
		return code;
	if (*n > PROGRAM_DEVICES_MAX - r->count)
		return CL_OUT_OF_HOST_MEMORY;
	return clGetProgramInfo(p, CL_PROGRAM_DEVICES,
	    *n * sizeof(cl_device_id), r->device + r->count, NULL);
}

static cl_int
read_binaries(struct reading *r, cl_program p)
{
	const cl_uint first = r->count;
	cl_uint n, i;
	cl_int code = read_devices(r, p, &n);

	if (code == CL_SUCCESS)
		code = clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES,
		    n * sizeof(size_t), r->size + first, NULL);
	if (code != CL_SUCCESS)
		return code;
	r->count += n;
	for (i = first; i < r->count; i++)
		if (r->size[i] > 0 &&
		    (r->binary[i] = malloc(r->size[i])) == NULL)
			return CL_OUT_OF_HOST_MEMORY;
	return clGetProgramInfo(p, CL_PROGRAM_BINARIES,
	    n * sizeof(unsigned char *), r->binary + first, NULL);
}

/* The binary of a device of ours; none where the vendor lists no such. */
static struct span
binary_of(const struct reading *r, cl_device_id device)
{
	cl_uint i;

	for (i = 0; i < r->count; i++)
		if (r->device[i] == device)
			return (struct span){ r->binary[i],
				r->binary[i] != NULL ? r->size[i] : 0 };
	return (struct span){ NULL, 0 };
}

static void
work(void *arg)
{
	struct reading *r = arg;
	const struct vprogram *p = r->program;
	struct span span[PROGRAM_DEVICES_MAX];
	struct reply_program_binaries reply = { 0 };
	unsigned i;

	for (i = 0; i < MEMBERS_MAX && reply.status == CL_SUCCESS; i++)
		if (native(p, i) != NULL)
			reply.status = read_binaries(r, native(p, i));
	for (i = 0; i < p->device_count; i++)
		span[i] = binary_of(r, p->devices[i]->device);
	if (reply.status == CL_SUCCESS)
		reply.binaries = (struct span){ span, p->device_count };
	serve_reply(r->serve, &desc_program_binaries, r->serial, &reply);
}

static void
reading_free(struct reading *r)
{
	cl_uint i;

	for (i = 0; i < r->count && i < PROGRAM_DEVICES_MAX; i++)
		free(r->binary[i]);
	object_unref(r->program);
	free(r);
}

static void
done(struct serve *s, void *arg)
{
	struct reading *r = arg;

	vprogram_settle(s, r->program);
	reading_free(r);
}

void
exec_program_binaries(struct serve *s, struct call *call,
    struct msg_program_binaries *m)
{
	struct vprogram *p = m->program.obj;
	struct reading *r;

	if (vprogram_wait(s, p))
		return;
	if ((r = calloc(1, sizeof(*r))) == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return;
	}
	r->serve = s;
	r->program = object_ref(p);
	r->serial = call->serial;
	p->busy = true;
	if (worker_run(s, work, done, r))
		return;
	p->busy = false;
	call_fail(s, call, CL_OUT_OF_HOST_MEMORY, "no thread");
	reading_free(r);
}
