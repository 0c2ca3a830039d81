/* SPDX-License-Identifier: ISC */
/*
 * includes_private - the mirror is made in includes.c, the options that lead
 * to it in includes_options.c.
 */
#ifndef VGPU_HOSTD_INCLUDES_PRIVATE_H
#define VGPU_HOSTD_INCLUDES_PRIVATE_H

#include <limits.h>

#include "hostd/includes.h"

#define PATH_BYTES (PATH_MAX + 1)

/* Fill in options and aliases of a mirror with a root.  As includes_open. */
enum vgpu_err includes_make_options(struct includes *, struct span dirs,
    struct err_text *);

#endif
