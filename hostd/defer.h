/* SPDX-License-Identifier: ISC */
/*
 * defer - work for the loop thread from the vendors' threads.
 */
#ifndef VGPU_HOSTD_DEFER_H
#define VGPU_HOSTD_DEFER_H

#include "common/err.h"

struct serve;

enum vgpu_err defer_open(struct serve *, struct err_text *);

/* Wake the loop, if it sleeps. */
void defer_wake(void);

/* The control lane has bytes that the socket did not take. */
void defer_write(struct serve *);

#endif
