/* SPDX-License-Identifier: ISC */
#include "hostd/reuse.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/log.h"
#include "hostd/arg_record.h"
#include "hostd/build_key.h"
#include "hostd/build_store.h"
#include "hostd/build_order.h"
#include "hostd/exec_device.h"
#include "hostd/member.h"

void
reuse_folder(const char *state_dir, char *out, size_t size)
{
	snprintf(out, size, "%s/builds", state_dir);
}

/* The code of a job whose outcome can be kept, and its key. */
static bool
find_key(struct build_job *j, struct program_code *code)
{
	const struct vprogram *p = j->program;

	if (j->serve->start.build_cache == 0 || p->built_in ||
	    j->message != &desc_clBuildProgram || p->device_count != 1 ||
	    context_is_mixed(p->context) ||
	    p->devices[0]->parent != NULL || !build_job_code(j, code))
		return false;
	return build_key_make(j, code, j->key);
}

/* ---- an entry becomes a program ---------------------------------------- */

static bool
decode(const struct span *bytes, const struct message *m, void *out)
{
	return codec_decode(bytes->p, bytes->n, m->fields, m->field_count,
	    out, NULL) == VGPU_OK;
}

/* What the arguments of a kernel are, from the record that tells of it. */
static bool
take_kinds(struct kernel_kinds *k, const struct span *record)
{
	struct msg_kernel_record r;
	struct msg_arg_record arg;
	struct span element;

	if (!decode(record, &desc_kernel_record, &r) ||
	    (k->name = strdup(r.name.p)) == NULL ||
	    (k->kind = calloc(r.args.n + 1, 1)) == NULL ||
	    (k->reads_only = calloc(r.args.n + 1, sizeof(bool))) == NULL)
		return false;
	while (list_next(&r.args, &element)) {
		if (!decode(&element, &desc_arg_record, &arg) ||
		    arg.arg_kind >= ARG_KIND_COUNT)
			return false;
		k->reads_only[k->count] = arg_record_reads_only(&arg);
		k->kind[k->count++] = (uint8_t)arg.arg_kind;
	}
	return true;
}

/* Room for the parts of a reply, which are encoded again. */
struct answer {
	struct reply_clBuildProgram reply;
	struct span device;
	struct span *kernel;
	struct kernel_kinds *kinds;
	unsigned count;
};

static void
answer_fini(struct answer *a)
{
	kernel_kinds_free(a->kinds, a->count);
	free(a->kernel);
}

/* False: the bytes are no reply for one device. */
static bool
answer_init(struct answer *a, const struct infoset *entry)
{
	const struct message *m = &desc_clBuildProgram;
	struct span list;
	const void *p;
	size_t n;

	memset(a, 0, sizeof(*a));
	if ((p = infoset_find(entry, REUSE_REPLY, &n)) == NULL ||
	    codec_decode(p, n, m->reply, m->reply_count, &a->reply, NULL) !=
	    VGPU_OK || a->reply.status != CL_SUCCESS ||
	    a->reply.devices.n != 1)
		return false;
	list = a->reply.devices;
	list_next(&list, &a->device);
	list = a->reply.kernels;
	a->kernel = calloc(list.n + 1, sizeof(*a->kernel));
	a->kinds = calloc(list.n + 1, sizeof(*a->kinds));
	if (a->kernel == NULL || a->kinds == NULL)
		return false;
	while (list_next(&list, &a->kernel[a->count])) {
		a->count++;
		if (!take_kinds(&a->kinds[a->count - 1],
		    &a->kernel[a->count - 1]))
			return false;
	}
	a->reply.devices = (struct span){ &a->device, 1 };
	a->reply.kernels = (struct span){ a->kernel, a->count };
	return true;
}

/* Have the native program made of the entry's binary, and built. */
static bool
load_binary(struct build_job *j, const struct infoset *entry)
{
	struct vprogram *p = j->program;
	cl_program before = native(p, 0), made;
	const unsigned char *binary;
	cl_int code, status;
	size_t n;

	if ((binary = infoset_find(entry, REUSE_BINARY, &n)) == NULL)
		return false;
	made = clCreateProgramWithBinary(native(p->context, 0), 1, j->device,
	    &n, &binary, &status, &code);
	if (made == NULL || code != CL_SUCCESS)
		return false;
	p->o.native[0] = made;
	p->wished = infoset_u32(entry, REUSE_WISHED, 0) != 0;
	build_job_choose(j, 0);
	if ((code = build_job_run(j)) != CL_SUCCESS) {
		p->o.native[0] = before;
		clReleaseProgram(made);
		return false;
	}
	clReleaseProgram(before);
	p->rewritten = true;
	return true;
}

static void
say(struct build_job *j, struct answer *a)
{
	j->good = true;
	serve_reply(j->serve, j->message, j->serial, &a->reply);
	vprogram_set_kinds(j->program, a->kinds, a->count);
	a->kinds = NULL;
}

/*
 * Its binary is still being made, or of no use: the vendor's compiler works.
 * What went well once fails only for want of memory, and then all kernels of the
 * program do.
 */
static void
compile(struct build_job *j)
{
	cl_int code = build_job_vendor(j);

	if (code == CL_SUCCESS)
		return;
	log_warn("build: it was said to be good, and failed: %d", code);
	j->program->o.error = code;
}

/*
 * The reply does not wait for the native program: loading a binary takes PoCL
 * tens of milliseconds.  The client goes on, and its next use of the program
 * waits.  *good: the entry is to stay.
 */
static bool
answer_from(struct build_job *j, const struct infoset *entry, bool *good)
{
	struct answer a;
	size_t n;
	bool loaded = false, said;

	if ((said = answer_init(&a, entry))) {
		say(j, &a);
		*good = infoset_find(entry, REUSE_BINARY, &n) == NULL ||
		    (loaded = load_binary(j, entry));
		if (!loaded)
			compile(j);
	}
	answer_fini(&a);
	return said;
}

bool
reuse_answer(struct build_job *j)
{
	struct program_code code;
	struct infoset entry;
	struct buf bytes;
	char folder[PATH_MAX];
	bool said = false, good = false;

	if (!(j->keep = find_key(j, &code)))
		return false;
	reuse_folder(j->serve->start.state_dir, folder, sizeof(folder));
	infoset_init(&entry);
	buf_init(&bytes);
	if (build_store_get(folder, j->key, &bytes) == VGPU_OK) {
		said = infoset_load(&entry, buf_front(&bytes), buf_len(&bytes),
		    NULL) == VGPU_OK && answer_from(j, &entry, &good);
		if (!good)
			build_store_remove(folder, j->key);
		log_debug("build: an entry %s", good ? "was reused" :
		    "is of no use");
	}
	infoset_fini(&entry);
	buf_fini(&bytes);
	return said;
}

/* ---- a program becomes an entry ---------------------------------------- */

bool
reuse_read_binary(cl_program p, struct buf *out)
{
	unsigned char *to;
	cl_uint devices = 0;
	size_t n = 0;

	if (clGetProgramInfo(p, CL_PROGRAM_NUM_DEVICES, sizeof(devices),
	    &devices, NULL) != CL_SUCCESS || devices != 1 ||
	    clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(n), &n,
	    NULL) != CL_SUCCESS || n == 0 || n > REUSE_BINARY_MAX ||
	    (to = buf_reserve(out, n)) == NULL ||
	    clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(to), &to, NULL) !=
	    CL_SUCCESS)
		return false;
	buf_commit(out, n);
	return true;
}

static pthread_rwlock_t keeping = PTHREAD_RWLOCK_INITIALIZER;

void
reuse_hold(void)
{
	pthread_rwlock_rdlock(&keeping);
}

void
reuse_let_go(void)
{
	pthread_rwlock_unlock(&keeping);
}

void
reuse_wait(int ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000L;
	if (t.tv_nsec >= 1000000000L) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000L;
	}
	if (pthread_rwlock_timedwrlock(&keeping, &t) == 0)
		pthread_rwlock_unlock(&keeping);
}

/* PoCL compiles each kernel once more when it is asked for a binary. */
static bool
binaries_are_compiled(const struct vdevice *d)
{
	return strcmp(infoset_text(&d->pool->platform_info, CL_PLATFORM_NAME,
	    ""), "Portable Computing Language") == 0;
}

static bool
put_binary(const struct build_job *j, struct infoset *entry)
{
	struct buf binary;
	bool ok;

	buf_init(&binary);
	if ((ok = reuse_read_binary(native(j->program, 0), &binary)))
		infoset_put(entry, REUSE_BINARY, buf_front(&binary),
		    buf_len(&binary));
	buf_fini(&binary);
	return ok && !infoset_failed(entry);
}

static void
store(const struct build_job *j, const struct infoset *entry)
{
	char folder[PATH_MAX];
	struct err_text text;

	reuse_folder(j->serve->start.state_dir, folder, sizeof(folder));
	if (build_store_put(folder, j->serve->start.build_cache, j->key,
	    infoset_bytes(entry), infoset_size(entry), &text) != VGPU_OK)
		log_debug("build: not kept: %s", text.s);
	else
		log_debug("build: kept");
}

void
reuse_keep(const struct build_job *j, const struct reply_clBuildProgram *r,
    const char *options)
{
	const struct message *m = &desc_clBuildProgram;
	const struct vdevice *d = j->program->devices[0];
	struct infoset entry;
	struct buf reply;

	infoset_init(&entry);
	buf_init(&reply);
	codec_encode(&reply, m->reply, m->reply_count, r);
	infoset_put(&entry, REUSE_REPLY, buf_front(&reply), buf_len(&reply));
	infoset_put_u32(&entry, REUSE_WISHED, j->program->wished);
	if (!reply.failed && !infoset_failed(&entry)) {
		if (binaries_are_compiled(d)) {
			store(j, &entry);
			build_order_send(j, &entry, options);
		} else if (put_binary(j, &entry))
			store(j, &entry);
	}
	buf_fini(&reply);
	infoset_fini(&entry);
}
