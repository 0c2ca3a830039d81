/* SPDX-License-Identifier: ISC */
/*
 * sane - what a vendor tells of a device, as far as it can be.
 *
 * Clients and the host rely on some properties without asking again: they
 * divide by sizes, allocate by limits and print strings.  So a probe looks at
 * these: a device without which nothing could run is left out, and what is
 * merely absurd is told as the nearest that makes sense.  Both with a reason.
 */
#ifndef VGPU_HOSTD_SANE_H
#define VGPU_HOSTD_SANE_H

#include <stdbool.h>

#include "common/err.h"
#include "common/infoset.h"

/*
 * Copy what a device tells, changed where it can't be, which is logged.  False:
 * leave the device out, for the reason in text; out is then of no use.
 */
bool sane_device(struct infoset *out, const struct infoset *told,
    struct err_text *text);

#endif
