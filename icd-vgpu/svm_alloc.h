/* SPDX-License-Identifier: ISC */
/*
 * svm_alloc - what begins and ends an allocation, of SVM and of unified shared
 * memory.
 */
#ifndef VGPU_ICD_SVM_ALLOC_H
#define VGPU_ICD_SVM_ALLOC_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

#include "icd-vgpu/fork.h"

struct buf;
struct context;
struct message;
struct svm_kind;

/*
 * Have the host allocate: its address, or 0.  *fd, which is -1, may be set to
 * the file of shared memory.
 */
typedef uint64_t svm_ask_function(void *arg, size_t size, int *fd);

/* long16, the largest type (6.1.2): no alignment is larger. */
#define SVM_LARGEST_TYPE 128

/*
 * From the second try on this much is asked for, which vendors' allocators
 * place away from their heaps, where this process is likely to have its own.
 */
#define SVM_APART ((size_t)256 << 10)

/*
 * Allocate at an address that is free here, too; NULL: there is none, or the
 * host says no.  apart: how much may be asked for in place of a small size.
 * What the host shares is fine-grained, whether kind says so or not.
 */
void *svm_allocate(struct context *, size_t size, size_t apart,
    const struct svm_kind *, svm_ask_function *, void *arg);

/*
 * call_sync for a call that allocates; *fd is the file of the memory, now the
 * caller's, where the host shares it.
 */
cl_int svm_call(const struct message *, const void *msg, void *reply,
    struct buf *body, int *fd);

/* Free the allocation that begins at p, here and at the host, if there is. */
void svm_release(const void *p);

/* In a child after fork nobody is amidst an allocation. */
void svm_alloc_fork(enum fork_phase);

#endif
