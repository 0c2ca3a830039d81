/* SPDX-License-Identifier: ISC */
/*
 * worker - a few threads for what takes long, such as compilers, so that the
 * loop goes on.
 */
#ifndef VGPU_HOSTD_WORKER_H
#define VGPU_HOSTD_WORKER_H

#include <stdbool.h>

struct serve;

#define WORKERS_MAX 4

/*
 * Run work(arg) in a worker and then done(serve, arg) in the loop's thread, in
 * the order of the calls as far as workers are free.  False: there is no
 * thread or no memory; neither runs.  Loop thread.
 */
bool worker_run(struct serve *, void (*work)(void *),
    void (*done)(struct serve *, void *), void *arg);

#endif
