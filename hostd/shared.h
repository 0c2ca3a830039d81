/* SPDX-License-Identifier: ISC */
/*
 * shared - memory of a vendor's that the client has mapped, too, at the same
 * address.
 *
 * Vendors allocate for themselves and have no way to be given pages.  So whole
 * pages inside of what they allocated are replaced by a file in memory, which
 * the client maps as well, and given back before the vendor frees them.  That
 * works for devices that reach memory through this process's page tables, as
 * CPUs do, and for no other.
 *
 * Whatever the client writes there, it writes into its own session's memory.
 */
#ifndef VGPU_HOSTD_SHARED_H
#define VGPU_HOSTD_SHARED_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

struct serve;
struct vdevice;

/* Whether memory of this device can be shared with this session's client. */
bool shared_possible(const struct serve *, const struct vdevice *);

/* The size that holds size bytes in whole pages; 0: too large. */
size_t shared_pages(size_t size);

/* What to allocate so that so many pages lie inside; 0: too large. */
size_t shared_room(size_t size);

/* The first whole page in memory of a size from shared_room. */
void *shared_first(void *);

/*
 * Replace pages at p, a whole number of them, which nobody uses yet.  *fd is
 * the file, now the caller's: it can't change its size.
 */
enum vgpu_err shared_open(void *p, size_t size, int *fd, struct err_text *);

/* Make them private again.  False: they stay shared, and must not be freed. */
bool shared_close(void *p, size_t size);

#endif
