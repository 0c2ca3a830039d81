/* SPDX-License-Identifier: ISC */
/*
 * svm - what the calls on shared virtual memory have in common.
 */
#ifndef VGPU_CONFORMANCE_CALLS_SVM_H
#define VGPU_CONFORMANCE_CALLS_SVM_H

#include "conformance/calls/enqueue.h"

/* Is there no coarse-grained SVM?  Says so by skip. */
bool no_svm(struct world *);

/* WORLD_SIZE bytes of it, zeroed, made once for each call. */
char *world_svm(struct world *);
void world_svm_free(struct world *);

#endif
