/* SPDX-License-Identifier: ISC */
/*
 * svm_map - the regions of SVM that the program has mapped, so that an unmap
 * knows what to send back.
 */
#ifndef VGPU_ICD_SVM_MAP_H
#define VGPU_ICD_SVM_MAP_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#include "icd-vgpu/fork.h"

struct svm_map {
	struct svm_map *next;
	void *ptr;
	size_t size;
	cl_map_flags flags;
	bool fine;		/* nothing travels */
};

/* Enter a map; takes it. */
void svm_map_add(struct svm_map *);

/* Take out the youngest map with this pointer; NULL: none. */
struct svm_map *svm_map_take(const void *ptr);

/* Take out a map that was added; its command was not sent. */
void svm_map_cancel(struct svm_map *);

/* Memory was freed: maps in it are over. */
void svm_map_forget(const void *base, size_t size);

/* In a child after fork nothing is mapped. */
void svm_map_fork(enum fork_phase);

#endif
