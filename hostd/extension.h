/* SPDX-License-Identifier: ISC */
/*
 * extension - which extensions of a vendor's device clients are shown.
 *
 * An extension is carried if protocol/opencl.def lists it.  A device is shown
 * with it if its vendor has it, with each function that the host would call;
 * and with those that vgpu carries out itself.  A probe decides that once, so
 * the pool knows no others.
 */
#ifndef VGPU_HOSTD_EXTENSION_H
#define VGPU_HOSTD_EXTENSION_H

#include "common/infoset.h"
#include "hostd/vendor.h"

/* Copy what a device told, with the extensions that are left of its own. */
void extension_filter(struct infoset *out, const struct infoset *told,
    const struct vendor_platform *);

/*
 * Add the extensions that each of n devices has, as what their platform has;
 * those with versions only if asked for.
 */
void extension_common(struct infoset *out, const struct infoset *const *,
    unsigned n, bool versions);

/* Is the extension one of the device's? */
bool extension_has(const struct infoset *device, const char *name, size_t n);

/*
 * Copy a list of names, or of names with versions (param tells which), without
 * one of them.
 */
void extension_put_without(struct infoset *out, uint32_t param, const void *,
    size_t, const char *name);

#endif
