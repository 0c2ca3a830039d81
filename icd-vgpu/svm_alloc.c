/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/svm_alloc.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_map.h"
#include "icd-vgpu/usm.h"

/* Addresses tried when the host's are taken here. */
#define TRIES 16

static bool
check_devices(const struct context *c, size_t size)
{
	bool any = false;
	cl_uint i;

	for (i = 0; i < c->device_count; i++) {
		if (size > device_u64(c->device[i],
		    CL_DEVICE_MAX_MEM_ALLOC_SIZE))
			return false;
		if (device_u64(c->device[i], CL_DEVICE_SVM_CAPABILITIES) != 0)
			any = true;
	}
	return any;
}

/* Only over a local transport do devices tell of fine grains. */
static bool
some_device_has(const struct context *c, cl_device_svm_capabilities what)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (device_u64(c->device[i], CL_DEVICE_SVM_CAPABILITIES) &
		    what)
			return true;
	return false;
}

static bool
check_flags(const struct context *c, cl_svm_mem_flags flags)
{
	bool fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER;

	if ((flags & CL_MEM_SVM_ATOMICS) && (!fine ||
	    !some_device_has(c, CL_DEVICE_SVM_ATOMICS)))
		return false;
	if (fine && !some_device_has(c, CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
		return false;
	flags &= ~(cl_svm_mem_flags)(CL_MEM_SVM_FINE_GRAIN_BUFFER |
	    CL_MEM_SVM_ATOMICS);
	return flags == 0 || flags == CL_MEM_READ_WRITE ||
	    flags == CL_MEM_READ_ONLY || flags == CL_MEM_WRITE_ONLY;
}

/*
 * Descriptors come in the order of their replies, so one thread at a time asks
 * for memory that has one.
 */
static pthread_mutex_t fine_lock = PTHREAD_MUTEX_INITIALIZER;

void
svm_alloc_fork(enum fork_phase phase)
{
	if (phase == FORK_CHILD)
		pthread_mutex_init(&fine_lock, NULL);
}

cl_int
svm_call(const struct message *desc, const void *msg, void *reply,
    struct buf *body, int *fd)
{
	struct link *l = client_current()->control;
	cl_int code;

	if (link_transport(l)->ops->take_fd == NULL)
		return call_sync(desc, msg, reply, body);
	pthread_mutex_lock(&fine_lock);
	code = call_sync(desc, msg, reply, body);
	if (code == CL_SUCCESS)
		*fd = link_take_fd(l);
	pthread_mutex_unlock(&fine_lock);
	return code;
}

static void
give_back(const struct context *c, uint64_t address)
{
	struct msg_clSVMFree m = {
		.context.id = c->o.id,
		.address = address,
	};

	call_async(&desc_clSVMFree, &m, 0);
}

/* Addresses that are taken here are kept until there is a better one. */
void *
svm_allocate(struct context *c, size_t size, size_t apart,
    const struct svm_kind *kind, svm_ask_function *ask, void *arg)
{
	uint64_t taken[TRIES], address;
	struct svm_kind made = *kind;
	bool entered;
	size_t wanted = size;
	void *p = NULL;
	unsigned n;
	int fd;

	for (n = 0; n < TRIES; n++) {
		fd = -1;
		if ((address = ask(arg, wanted, &fd)) == 0)
			break;
		made.fine = fd >= 0;
		entered = made.fine >= kind->fine &&
		    svm_enter(c, address, size, &made, fd);
		if (fd >= 0)
			close(fd);
		if (entered) {
			p = (void *)(uintptr_t)address;
			break;
		}
		taken[n] = address;
		if (wanted < apart)
			wanted = apart;
	}
	while (n-- > 0)
		give_back(c, taken[n]);
	return p;
}

struct asking {
	const struct context *context;
	cl_svm_mem_flags flags;
	cl_uint alignment;
};

static uint64_t
ask(void *arg, size_t size, int *fd)
{
	const struct asking *a = arg;
	struct msg_clSVMAlloc m = {
		.context.id = a->context->o.id,
		.flags = a->flags,
		.size = size,
		.alignment = a->alignment,
	};
	struct reply_clSVMAlloc reply;
	struct buf body;
	cl_int code = svm_call(&desc_clSVMAlloc, &m, &reply, &body, fd);

	buf_fini(&body);
	return code == CL_SUCCESS ? reply.address : 0;
}

void *
icd_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
    cl_uint alignment)
{
	const struct svm_kind kind = {
		.fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER,
	};
	struct context *c = context_check(context);
	struct asking a = { c, flags, alignment };

	if (c == NULL || !check_flags(c, flags) || size == 0 ||
	    (alignment & (alignment - 1)) != 0 || alignment > SVM_LARGEST_TYPE ||
	    !check_devices(c, size))
		return NULL;
	return svm_allocate(c, size, check_devices(c, SVM_APART) ? SVM_APART :
	    0, &kind, ask, &a);
}

static void
send_free(void *arg)
{
	const struct msg_clSVMFree *m = arg;

	call_async(&desc_clSVMFree, m, 0);
}

static void
leave(void *arg)
{
	const struct msg_clSVMFree *m = arg;
	const void *p;

	memcpy(&p, &m->address, sizeof(p));
	svm_leave(p, send_free, arg);
}

void
svm_release(const void *p)
{
	const struct svm *s = svm_find(p);
	struct msg_clSVMFree m;

	if (s == NULL || s->base != p)
		return;
	m.context.id = s->context->o.id;
	m.address = (uintptr_t)p;
	svm_map_forget(s->base, s->size);
	usm_leave(leave, &m, s->kind.type != 0);
}

void
icd_clSVMFree(cl_context context, void *svm_pointer)
{
	if (context_check(context) != NULL && svm_pointer != NULL)
		svm_release(svm_pointer);
}
