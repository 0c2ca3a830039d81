/* SPDX-License-Identifier: ISC */
/*
 * reap - tells who cares that a child has ended.
 */
#ifndef VGPU_HOSTD_REAP_H
#define VGPU_HOSTD_REAP_H

#include <stddef.h>
#include <sys/types.h>

#include "common/err.h"

struct event_base;

typedef void reap_function(void *arg, int status);

/* Begin to watch for ended children; one in a process. */
enum vgpu_err reap_start(struct event_base *, struct err_text *);
void reap_stop(void);

/* Call fn(arg, status as of waitpid) once when that child has ended. */
enum vgpu_err reap_watch(pid_t, reap_function *, void *arg);

/* Nobody cares any more; it is waited for all the same. */
void reap_forget(pid_t);

/* How it ended, in words ("killed by signal 11"); returns out. */
const char *reap_text(int status, char *out, size_t size);

#endif
