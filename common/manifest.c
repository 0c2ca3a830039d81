/* SPDX-License-Identifier: ISC */
#include "common/manifest.h"

#include <string.h>

static void
put_le(struct buf *out, uint64_t v, unsigned bytes)
{
	uint8_t le[8];
	unsigned i;

	for (i = 0; i < bytes; i++)
		le[i] = (uint8_t)(v >> 8 * i);
	buf_append(out, le, bytes);
}

static uint64_t
get_le(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

void
manifest_write(struct buf *out, const struct manifest_entry *e)
{
	buf_append(out, e->is_folder ? "d" : "f", 1);
	put_le(out, e->path_len, 4);
	buf_append(out, e->path, e->path_len);
	if (e->is_folder)
		return;
	put_le(out, e->size, 8);
	buf_append(out, e->hash, SHA256_LEN);
}

/* One component of a path, between two slashes. */
static bool
component_ok(const char *s, size_t n)
{
	if (n == 0 || memchr(s, '\0', n) != NULL)
		return false;
	return !(s[0] == '.' && (n == 1 || (n == 2 && s[1] == '.')));
}

bool
manifest_path_ok(const char *path, size_t n)
{
	size_t from, i;

	if (n == 0 || n > MANIFEST_PATH_MAX || path[0] != '/')
		return false;
	if (n == 1)
		return true;
	for (from = i = 1; i <= n; i++) {
		if (i < n && path[i] != '/')
			continue;
		if (!component_ok(path + from, i - from))
			return false;
		from = i + 1;
	}
	return true;
}

void
manifest_reader_init(struct manifest_reader *r, const void *p, size_t n)
{
	memset(r, 0, sizeof(*r));
	r->p = p;
	r->left = n;
}

/* Whether b may follow a: folders first, each group sorted, none twice. */
static bool
entries_sorted(const struct manifest_entry *a, const struct manifest_entry *b)
{
	size_t n = a->path_len < b->path_len ? a->path_len : b->path_len;
	int c;

	if (a->is_folder != b->is_folder)
		return a->is_folder;
	c = memcmp(a->path, b->path, n);
	return c < 0 || (c == 0 && a->path_len < b->path_len);
}

/* Split one entry off; returns its length, or 0 where it is cut short. */
static size_t
entry_split(const uint8_t *p, size_t left, struct manifest_entry *e)
{
	size_t n = 5;

	if (left < n)
		return 0;
	memset(e, 0, sizeof(*e));
	e->is_folder = p[0] == 'd';
	e->path_len = (size_t)get_le(p + 1, 4);
	e->path = (const char *)p + n;
	if (e->path_len > left - n)
		return 0;
	n += e->path_len;
	if (e->is_folder)
		return n;
	if (left - n < 8 + SHA256_LEN)
		return 0;
	e->size = get_le(p + n, 8);
	e->hash = p + n + 8;
	return n + 8 + SHA256_LEN;
}

enum vgpu_err
manifest_next(struct manifest_reader *r, struct manifest_entry *out,
    struct err_text *text)
{
	struct manifest_entry e;
	size_t n;

	if (r->left == 0)
		return VGPU_EAGAIN;
	if (r->p[0] != 'd' && r->p[0] != 'f')
		return err_set(text, VGPU_EPROTO, "manifest: record type "
		    "0x%02x, expected 'd' or 'f'", r->p[0]);
	if ((n = entry_split(r->p, r->left, &e)) == 0)
		return err_set(text, VGPU_EPROTO, "manifest: cut short");
	if (!manifest_path_ok(e.path, e.path_len))
		return err_set(text, VGPU_EPROTO, "manifest: a path is not "
		    "absolute and canonical");
	if (r->begun && !entries_sorted(&r->last, &e))
		return err_set(text, VGPU_EPROTO, "manifest: not sorted");
	r->p += n;
	r->left -= n;
	r->last = *out = e;
	r->begun = true;
	return VGPU_OK;
}
