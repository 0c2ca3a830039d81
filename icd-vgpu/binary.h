/* SPDX-License-Identifier: ISC */
/*
 * binary - the container for program binaries that an application sees.
 *
 * A vendor's binary means nothing to another vendor, or to another version of
 * its driver, and some drivers crash on what is not theirs.  So each binary is
 * wrapped with the fingerprint of the driver that made it, and with a hash of
 * the whole; what does not match is refused (CL_INVALID_BINARY) before any
 * driver sees it.  Integers are little-endian, nothing is padded:
 *
 *	"vGPU\r\nB\n"	8 bytes
 *	u32 version	BINARY_VERSION
 *	u32 type_len	u64 payload_len
 *	fingerprint	32 bytes
 *	type		type_len bytes, for messages
 *	payload		payload_len bytes
 *	SHA-256		of everything before it
 */
#ifndef VGPU_ICD_BINARY_H
#define VGPU_ICD_BINARY_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"

#define BINARY_VERSION 1
#define BINARY_FINGERPRINT_LEN 32
#define BINARY_TYPE_MAX 255

/* Views into the container; they live as long as its bytes. */
struct binary {
	const char *type; /* not NUL-terminated */
	size_t type_len;
	const uint8_t *payload;
	size_t len;
};

/* The container's size, known before the payload is at hand. */
size_t binary_size(const char *type, size_t payload_len);

/*
 * Append the container of a payload to out.  A type longer than
 * BINARY_TYPE_MAX is cut.
 * VGPU_ENOMEM, VGPU_ESYS (no hash): out may hold part of the container.
 */
enum vgpu_err binary_wrap(struct buf *out,
    const uint8_t fingerprint[BINARY_FINGERPRINT_LEN], const char *type,
    const void *payload, size_t len);

/*
 * Open a container of n bytes.
 * VGPU_EPROTO: not a container, of another version, cut short or changed.
 * VGPU_EHANDLE: sound, but not made by the driver of this fingerprint; text
 * names the type it was made for.  VGPU_ESYS: no hash.
 */
enum vgpu_err binary_unwrap(struct binary *, const void *p, size_t n,
    const uint8_t fingerprint[BINARY_FINGERPRINT_LEN], struct err_text *);

#endif
