/* SPDX-License-Identifier: ISC */
/*
 * usm - unified shared memory (cl_intel_unified_shared_memory) in use.
 *
 * Device allocations are memory of the host that only has its addresses
 * reserved here.  Host and shared allocations are twins (common/twin.h): they
 * are memory of the program, too.  Before a command is sent that may touch
 * twins, the host is told what the program has written; when the program is
 * about to learn that the command is complete, what the host has written is
 * fetched.  So both see what OpenCL promises of memory without concurrent
 * access, and no byte travels that has not changed.  Where the host is on this
 * machine and shares its memory, they are no twins, and nothing travels.
 *
 * usm_settle waits for the host, where there is anything to fetch: no lock
 * may be held but those of kernels.
 */
#ifndef VGPU_ICD_USM_H
#define VGPU_ICD_USM_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#include "icd-vgpu/fork.h"

struct context;
struct event;
struct kernel;
struct svm;
struct usm_use;

enum { USM_HOST = 1, USM_DEVICE = 2, USM_SHARED = 4 };

/* What a command may touch: all of some kinds, and what these lie in. */
struct usm_set {
	unsigned kinds;
	size_t count;
	const void **p;
};

static inline bool
usm_set_is_empty(const struct usm_set *s)
{
	return s->kinds == 0 && s->count == 0;
}

/*
 * What a launch of the kernel may touch; its lock is held.  Ended by
 * usm_set_fini.  CL_OUT_OF_HOST_MEMORY.
 */
cl_int usm_set_of_kernel(struct usm_set *, const struct kernel *);
void usm_set_fini(struct usm_set *);

/*
 * A command is about to be sent: tell the host what has changed.  *use is then
 * for usm_sent or usm_not_sent.  CL_OUT_OF_HOST_MEMORY,
 * CL_DEVICE_NOT_AVAILABLE.
 */
cl_int usm_prepare(const struct context *, const struct usm_set *,
    struct usm_use **use);
void usm_sent(struct usm_use *, struct event *);
void usm_not_sent(struct usm_use *);

/*
 * Commands that were sent may start now for what the program does: tell the
 * host what has changed since.
 */
cl_int usm_push_again(const struct context *);

/* The program is about to learn of completed commands. */
void usm_settle(void);

/* Wait for all commands of the context that may touch such memory. */
void usm_wait(const struct context *);

/* Is there any allocation? */
bool usm_exists(void);

/*
 * Does p lie in a device allocation?  Its content is at the host alone, so it
 * is no memory that bodies of commands could come from or go to.
 */
bool usm_is_device(const void *p);

/* A new allocation; makes a twin of it if it is one.  False: no memory. */
bool usm_enter(struct svm *);

/* Run leave(arg), which ends an allocation, while no changes travel. */
void usm_leave(void (*leave)(void *), void *arg, bool usm);

void usm_fork(enum fork_phase);

#endif
