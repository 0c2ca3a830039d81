/* SPDX-License-Identifier: ISC */
/*
 * svm - memory at addresses that the host's vendor chose: shared virtual memory
 * and unified shared memory.
 *
 * The host's vendor chooses an address; here the same address is mapped, so
 * that pointers in shared data structures hold on both sides.  Contents cross
 * with maps, unmaps and copies, or as those of twins (usm.h).  Pages are mapped
 * as a whole; allocations of the vendor's that lie on one page share it here
 * too.
 *
 * Fine-grained memory is the host's itself, a file in memory that both have
 * mapped; its contents are the same on both sides at any time.
 */
#ifndef VGPU_ICD_SVM_H
#define VGPU_ICD_SVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/twin.h"
#include "icd-vgpu/fork.h"

struct context;
struct device;

/* What it was allocated as. */
struct svm_kind {
	uint32_t type;		/* 0: SVM; else CL_MEM_TYPE_..._INTEL */
	uint64_t flags;		/* CL_MEM_ALLOC_..._INTEL */
	struct device *device;	/* kept by the context; or NULL */
	bool fine;		/* fine-grained, also of USM: shared */
};

struct svm {
	uint8_t *base;
	size_t size;
	struct context *context;	/* a use; NULL: of before a fork */
	struct svm_kind kind;
	struct twin twin;		/* usm.c's */
	bool stale;			/* usm.c's */
};

/* The allocation that holds p, valid until it is freed; NULL: none does. */
struct svm *svm_find(const void *p);

/* The same where n bytes from p on have to lie in one allocation. */
struct svm *svm_find_range(const void *p, size_t n);

/* Call visit for each, the lock held. */
void svm_each(void (*visit)(struct svm *, void *arg), void *arg);

/*
 * Map the pages of a new allocation of the host's and enter it.  False: some
 * of the addresses are taken in this process, or there is no memory.
 * fd: -1, or of fine-grained memory the file; it stays the caller's.
 */
bool svm_enter(struct context *, uint64_t address, size_t size,
    const struct svm_kind *, int fd);

/*
 * Take out the allocation that begins at p and unmap what no other uses.
 * send (may be NULL) is called with arg meanwhile, before the addresses can be
 * given out again.  False: none begins at p.
 */
bool svm_leave(const void *p, void (*send)(void *arg), void *arg);

/*
 * In a child after fork no allocation is left.  The memory stays, for who still
 * reads it, until its addresses are needed.
 */
void svm_fork(enum fork_phase);

#endif
