/* SPDX-License-Identifier: ISC */
/*
 * build_store - a folder of files that are known by their keys.
 *
 * Each file says its key and has a hash at its end, so what was cut short,
 * changed or put under another's name is as good as not there.  The folder is
 * of one tenant, and holds a number of bytes at most: what was used longest ago
 * goes first.  Any number of processes may use a folder at a time.
 */
#ifndef VGPU_HOSTD_BUILD_STORE_H
#define VGPU_HOSTD_BUILD_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"
#include "common/sha256.h"

#define BUILD_STORE_ENTRY_MAX ((size_t)64 << 20)

/*
 * Append what is kept under a key to out, which is empty before; it begins at a
 * multiple of 8.  VGPU_EAGAIN: there is nothing.  VGPU_EPROTO: the file was
 * damaged, and is gone.  VGPU_ESYS.  VGPU_ENOMEM.
 */
enum vgpu_err build_store_get(const char *folder,
    const uint8_t key[SHA256_LEN], struct buf *out);

/*
 * Keep n bytes under a key, in the place of what was there; makes the folder
 * where it is missing, and keeps it within limit bytes.  VGPU_EQUOTA: they are
 * too many.  VGPU_ESYS.  VGPU_ENOMEM.
 */
enum vgpu_err build_store_put(const char *folder, uint64_t limit,
    const uint8_t key[SHA256_LEN], const void *, size_t n,
    struct err_text *);

/* Forget what is kept under a key. */
void build_store_remove(const char *folder, const uint8_t key[SHA256_LEN]);

#endif
