/* SPDX-License-Identifier: ISC */
/*
 * alias - the names that devices are shown with, where the administrator gave
 * them others than their own.
 */
#ifndef VGPU_HOSTD_ALIAS_H
#define VGPU_HOSTD_ALIAS_H

#include <stddef.h>

#define ALIAS_MAX 256	/* bytes of a line, and of a name that comes of it */

/*
 * The name that a device is shown with: that of the first line "PATTERN=NAME"
 * of lines (may be NULL) whose pattern matches its own name, or its own; in
 * out, cut to size.
 */
const char *alias_name(const char *lines, const char *own, char *out,
    size_t size);

#endif
