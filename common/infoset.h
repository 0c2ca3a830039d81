/* SPDX-License-Identifier: ISC */
/*
 * infoset - numbered pieces of information in one run of bytes.
 *
 * Each entry is a number (u32), a size (u32) and that many bytes, padded with
 * zeros to a multiple of 8: the form in which the answers of clGetDeviceInfo
 * travel from a probe to the parent, to the sessions and to the clients, and
 * in which the daemon's own processes tell each other other small things.
 * Numbers are in the byte order of the host that wrote them (little-endian).
 *
 * Bytes from elsewhere enter by infoset_load alone, which checks them; what
 * is in a set can then be read without further checks of its structure.
 */
#ifndef VGPU_COMMON_INFOSET_H
#define VGPU_COMMON_INFOSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"

#define INFOSET_BYTES_MAX ((size_t)16 << 20)

struct infoset_slot;

struct infoset {
	struct buf buf;	/* failed after an append without memory */
	struct infoset_slot *index;	/* NULL: there is none */
	uint32_t index_mask;
};

void infoset_init(struct infoset *);
void infoset_fini(struct infoset *);

/* The encoded bytes and their number, valid until the next change. */
const void *infoset_bytes(const struct infoset *);
size_t infoset_size(const struct infoset *);

/* True when an append failed for want of memory. */
bool infoset_failed(const struct infoset *);

/*
 * Append an entry.  A number may occur several times: infoset_find gives the
 * first one, infoset_next all of them.
 */
void infoset_put(struct infoset *, uint32_t param, const void *, size_t size);
void infoset_put_u32(struct infoset *, uint32_t param, uint32_t);
void infoset_put_u64(struct infoset *, uint32_t param, uint64_t);

/* A text, with its NUL. */
void infoset_put_text(struct infoset *, uint32_t param, const char *);

/* The whole of another set as one entry, to be read by infoset_load. */
void infoset_put_set(struct infoset *, uint32_t param, const struct infoset *);

/*
 * The bytes of the first entry with this number, and their number in *size;
 * NULL when there is none.  The bytes are aligned to 8.
 */
const void *infoset_find(const struct infoset *, uint32_t param, size_t *size);

/*
 * The value of the first entry with this number; otherwise if there is none
 * or it has another size.
 */
uint32_t infoset_u32(const struct infoset *, uint32_t param,
    uint32_t otherwise);
uint64_t infoset_u64(const struct infoset *, uint32_t param,
    uint64_t otherwise);

/* The text of the first entry; otherwise if none, or not ended by a NUL. */
const char *infoset_text(const struct infoset *, uint32_t param,
    const char *otherwise);

/*
 * Make infoset_find quick until the next change; worth its memory, 16 bytes and
 * more for each entry, where a set is asked again and again.  Without memory,
 * or for thousands of entries, it stays as slow as it was.
 */
void infoset_index(struct infoset *);

/*
 * Walk through the entries: *at is 0 at first.  Returns the bytes of the next
 * one (never NULL for an entry, not even an empty one), NULL at the end.
 */
const void *infoset_next(const struct infoset *, size_t *at, uint32_t *param,
    size_t *size);

/*
 * Replace what is in the set by a copy of untrusted bytes.
 * VGPU_EPROTO: not a set, or larger than INFOSET_BYTES_MAX.  VGPU_ENOMEM.
 * On failure the set is empty.
 */
enum vgpu_err infoset_load(struct infoset *, const void *, size_t,
    struct err_text *);

#endif
