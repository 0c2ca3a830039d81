/* SPDX-License-Identifier: ISC */
/*
 * extension_own - what devices can do of the extensions that vgpu carries out
 * itself.
 */
#ifndef VGPU_HOSTD_EXTENSION_OWN_H
#define VGPU_HOSTD_EXTENSION_OWN_H

#include "common/infoset.h"

/* Add the properties of a device of which the vendor told this. */
void extension_own_put(struct infoset *out, const struct infoset *told);

#endif
