/* SPDX-License-Identifier: ISC */
/*
 * callback - functions of the program that the library calls back.
 *
 * They run one after the other in a thread of the library's own, in the order
 * in which they became due, with no lock held, so that they may call anything.
 */
#ifndef VGPU_ICD_CALLBACK_H
#define VGPU_ICD_CALLBACK_H

#include <CL/cl_icd.h>
#include <stdint.h>

#include "icd-vgpu/fork.h"

typedef void (CL_CALLBACK *pfn_context)(const char *, const void *, size_t,
    void *);
typedef void (CL_CALLBACK *pfn_context_gone)(cl_context, void *);
typedef void (CL_CALLBACK *pfn_program)(cl_program, void *);
typedef void (CL_CALLBACK *pfn_mem)(cl_mem, void *);
typedef void (CL_CALLBACK *pfn_event)(cl_event, cl_int, void *);
typedef void (CL_CALLBACK *pfn_svm_free)(cl_command_queue, cl_uint, void **,
    void *);
typedef void (CL_CALLBACK *pfn_native)(void *);

/* Something to be run by the callback thread; run frees what it was given. */
typedef void callback_function(void *);

/*
 * Queue run(arg).  Without memory or threads it is dropped: a lost callback is
 * the least harm then.  Any thread, any locks held.
 */
void callback_queue(callback_function *run, void *arg);

/*
 * Of a program that has waited for an event: let the callbacks that are due by
 * now end, as they mostly have when a vendor's own library returns, and some
 * programs count on that.  Not for ever: one may wait for what the caller has
 * locked; once one has taken longer than ms milliseconds, no later call waits.
 */
#define CALLBACK_SETTLE_MS 100
void callback_settle(int64_t ms);

/* In a child after fork what was queued is the parent's to run. */
void callback_fork(enum fork_phase);

#endif
