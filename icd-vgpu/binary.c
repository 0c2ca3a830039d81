/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/binary.h"

#include <string.h>

#include "common/sha256.h"

#define MAGIC "vGPU\r\nB\n"
#define MAGIC_LEN 8
#define AT_VERSION 8
#define AT_TYPE_LEN 12
#define AT_PAYLOAD_LEN 16
#define AT_FINGERPRINT 24
#define HEAD_LEN (AT_FINGERPRINT + BINARY_FINGERPRINT_LEN)

static void
put_le(uint8_t *p, uint64_t v, unsigned bytes)
{
	unsigned i;

	for (i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t
get_le(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

size_t
binary_size(const char *type, size_t payload_len)
{
	return HEAD_LEN + strnlen(type, BINARY_TYPE_MAX) + payload_len +
	    SHA256_LEN;
}

enum vgpu_err
binary_wrap(struct buf *out, const uint8_t fingerprint[BINARY_FINGERPRINT_LEN],
    const char *type, const void *payload, size_t len)
{
	size_t type_len = strnlen(type, BINARY_TYPE_MAX);
	size_t size = binary_size(type, len);
	uint8_t *p;
	enum vgpu_err e;

	if (size < len || (p = buf_reserve(out, size)) == NULL)
		return VGPU_ENOMEM;
	memcpy(p, MAGIC, MAGIC_LEN);
	put_le(p + AT_VERSION, BINARY_VERSION, 4);
	put_le(p + AT_TYPE_LEN, type_len, 4);
	put_le(p + AT_PAYLOAD_LEN, len, 8);
	memcpy(p + AT_FINGERPRINT, fingerprint, BINARY_FINGERPRINT_LEN);
	memcpy(p + HEAD_LEN, type, type_len);
	if (len > 0)
		memcpy(p + HEAD_LEN + type_len, payload, len);
	e = sha256(p, size - SHA256_LEN, p + size - SHA256_LEN);
	if (e == VGPU_OK)
		buf_commit(out, size);
	return e;
}

/* Whether the head's lengths add up to exactly n bytes. */
static bool
lengths_ok(const uint8_t *p, size_t n)
{
	uint64_t type_len = get_le(p + AT_TYPE_LEN, 4);
	uint64_t left = n - HEAD_LEN - SHA256_LEN;

	return type_len <= BINARY_TYPE_MAX && type_len <= left &&
	    get_le(p + AT_PAYLOAD_LEN, 8) == left - type_len;
}

static enum vgpu_err
check_container(const uint8_t *p, size_t n, struct err_text *text)
{
	uint8_t hash[SHA256_LEN];
	uint64_t version;
	enum vgpu_err e;

	if (n < MAGIC_LEN || memcmp(p, MAGIC, MAGIC_LEN) != 0)
		return err_set(text, VGPU_EPROTO,
		    "program binary: not one that vGPU made");
	if (n < HEAD_LEN + SHA256_LEN)
		return err_set(text, VGPU_EPROTO,
		    "program binary: cut short at %zu bytes", n);
	version = get_le(p + AT_VERSION, 4);
	if (version != BINARY_VERSION)
		return err_set(text, VGPU_EPROTO, "program binary: format %u, "
		    "expected %u", (unsigned)version, BINARY_VERSION);
	if (!lengths_ok(p, n))
		return err_set(text, VGPU_EPROTO, "program binary: "
		    "cut short or extended, %zu bytes", n);
	if ((e = sha256(p, n - SHA256_LEN, hash)) != VGPU_OK)
		return err_set(text, e, "program binary: no SHA-256");
	if (memcmp(hash, p + n - SHA256_LEN, SHA256_LEN) != 0)
		return err_set(text, VGPU_EPROTO,
		    "program binary: its contents were changed");
	return VGPU_OK;
}

enum vgpu_err
binary_unwrap(struct binary *b, const void *data, size_t n,
    const uint8_t fingerprint[BINARY_FINGERPRINT_LEN], struct err_text *text)
{
	const uint8_t *p = data;
	struct binary found;
	enum vgpu_err e;

	if ((e = check_container(p, n, text)) != VGPU_OK)
		return e;
	found.type = (const char *)p + HEAD_LEN;
	found.type_len = (size_t)get_le(p + AT_TYPE_LEN, 4);
	found.payload = p + HEAD_LEN + found.type_len;
	found.len = (size_t)get_le(p + AT_PAYLOAD_LEN, 8);
	if (memcmp(p + AT_FINGERPRINT, fingerprint,
		BINARY_FINGERPRINT_LEN) != 0)
		return err_set(text, VGPU_EHANDLE, "program binary: made by "
		    "another driver, for %.*s", (int)found.type_len,
		    found.type);
	*b = found;
	return VGPU_OK;
}
