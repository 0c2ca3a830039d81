/* SPDX-License-Identifier: ISC */
/*
 * apart - finds out which vendors' libraries can't be in one process.
 *
 * First all are loaded into one process, together: mostly that works, and is
 * all.  Where it doesn't, each is tried by itself, all at the same time, and what
 * can't make a context even so is left out of the pool.  If there was none such,
 * or the others fail together, too, each pair is tried, a few at a time.
 */
#ifndef VGPU_HOSTD_APART_H
#define VGPU_HOSTD_APART_H

#include "hostd/probing.h"

struct apart;

/* Called once, when what was found is in the pool.  Frees the apart. */
typedef void apart_function(void *arg);

/*
 * Begin with a pool's usable vendors, of which there are two at least.  pool
 * and rules are borrowed until the end.  VGPU_ENOMEM, VGPU_ESYS: nothing was
 * begun.
 */
enum vgpu_err apart_start(struct apart **, const struct probing_rules *,
    struct pool *, apart_function *, void *arg, struct err_text *);

/* Kill the probes and forget all, without calling back.  NULL: nothing. */
void apart_cancel(struct apart *);

#endif
