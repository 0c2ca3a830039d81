/* SPDX-License-Identifier: ISC */
/*
 * preload - the vendor that is most probably needed, loaded ahead of time.
 *
 * Loading a vendor takes longer than all else between a client's start and its
 * first kernel.  So a session that waits for a client loads the vendor of the
 * device that is shown first, in a thread: a client that comes early is greeted
 * meanwhile.  Nothing that depends on the tenant happens here; what a vendor
 * keeps in files goes to the home that the session gets later (home.h).
 */
#ifndef VGPU_HOSTD_PRELOAD_H
#define VGPU_HOSTD_PRELOAD_H

#include "common/err.h"
#include "hostd/pool.h"

struct vendor;

/*
 * Begin to load; does nothing where no device is there, or where the vendor
 * can't be in one process with one that the tenant may have instead.  Once in a
 * process.
 */
void preload_start(const struct pool *);

/*
 * Wait until what was begun is done, and take the pool's vendor of that number:
 * VGPU_OK, or why it does not load.  VGPU_EAGAIN: it was not begun.
 */
enum vgpu_err preload_take(unsigned vendor, struct vendor **,
    struct err_text *);

#endif
