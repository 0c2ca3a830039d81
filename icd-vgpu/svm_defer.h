/* SPDX-License-Identifier: ISC */
/*
 * svm_defer - commands that this side carries out: freeing SVM and copying
 * between two places of the program's memory.
 *
 * Such a command is a marker that waits for a user event of ours, which is set
 * when the work has been done; the work waits for a first marker, which has
 * the command's place in the queue and its wait list.
 */
#ifndef VGPU_ICD_SVM_DEFER_H
#define VGPU_ICD_SVM_DEFER_H

#include <CL/cl.h>
#include <stdbool.h>

struct deferred {
	cl_command_type type;
	bool blocking;
	void (*run)(void *arg);		/* in the callback thread */
	void (*free)(void *arg);	/* in any case, once, last */
	void *arg;
};

/* Enqueue one; takes arg, even on errors, which are the enqueue call's. */
cl_int svm_defer(cl_command_queue, const struct deferred *, cl_uint n,
    const cl_event *list, cl_event *event);

#endif
