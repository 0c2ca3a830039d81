/* SPDX-License-Identifier: ISC */
/*
 * manifest - the list of a client's files that a build needs, as bytes.
 *
 * The client writes it, the host reads it, and its SHA-256 names the tree on
 * the host, so equal trees are kept once.  Records stand one after the other
 * without padding, integers are little-endian:
 *
 *	'd'  u32 length  path			a folder to make
 *	'f'  u32 length  path  u64 size  hash	a file, its SHA-256
 *
 * Folders come first, then files, each group sorted by the bytes of the path,
 * none twice.  A path is absolute, without NUL, without empty, "." or ".."
 * components, so R followed by it stays below R.  "/" is the root itself.
 */
#ifndef VGPU_COMMON_MANIFEST_H
#define VGPU_COMMON_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"
#include "common/sha256.h"

#define MANIFEST_PATH_MAX 4095

struct manifest_entry {
	bool is_folder;
	const char *path; /* not NUL-terminated where it was read */
	size_t path_len;
	uint64_t size;	/* of a file */
	const uint8_t *hash; /* of a file; SHA256_LEN bytes */
};

struct manifest_reader {
	const uint8_t *p;
	size_t left;
	struct manifest_entry last;
	bool begun;
};

/* Append an entry; out is marked failed when there is no memory. */
void manifest_write(struct buf *out, const struct manifest_entry *);

/* Read n bytes at p, which stay the caller's and outlive the entries. */
void manifest_reader_init(struct manifest_reader *, const void *p, size_t n);

/*
 * The next entry, pointing into the bytes.  VGPU_EAGAIN: there are no more.
 * VGPU_EPROTO: the bytes are not a manifest, text says why; the reader stays
 * where it is.
 */
enum vgpu_err manifest_next(struct manifest_reader *, struct manifest_entry *,
    struct err_text *);

/* Whether n bytes are a path that a manifest may hold. */
bool manifest_path_ok(const char *path, size_t n);

#endif
