/* SPDX-License-Identifier: ISC */
/*
 * svm - coarse-grained shared virtual memory.
 *
 * The host's vendor chooses an address; here the same address is mapped, so
 * that pointers in shared data structures hold on both sides.  Contents cross
 * with maps, unmaps and copies.  Pages are mapped as a whole; allocations of
 * the vendor's that lie on one page share it here too.
 */
#ifndef VGPU_ICD_SVM_H
#define VGPU_ICD_SVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "icd-vgpu/fork.h"

struct context;

struct svm {
	uint8_t *base;
	size_t size;
	struct context *context;	/* a use; NULL: of before a fork */
};

/* The allocation that holds p, valid until it is freed; NULL: none does. */
const struct svm *svm_find(const void *p);

/* The same where n bytes from p on have to lie in one allocation. */
const struct svm *svm_find_range(const void *p, size_t n);

/*
 * Map the pages of a new allocation of the host's and enter it.  False: some
 * of the addresses are taken in this process, or there is no memory.
 */
bool svm_enter(struct context *, uint64_t address, size_t size);

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
