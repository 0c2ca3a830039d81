/* SPDX-License-Identifier: ISC */
#include "hostd/includes_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/buf.h"
#include "common/manifest.h"
#include "common/sha256.h"
#include "common/vec.h"

/* Vendors split options at blanks, and not all know quotes. */
static bool
is_plain(const char *folder)
{
	return folder[strspn(folder, "/._-+,=:@%~0123456789"
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

/* Reach a folder by a link beside the mirror, always by the same one. */
static enum vgpu_err
add_alias(struct includes *in, const char *folder, const char *target)
{
	struct includes_alias *a = vec_more(in->alias, in->alias_count,
	    sizeof(*a));
	uint8_t hash[SHA256_LEN];
	char name[SHA256_TEXT];

	if (a == NULL)
		return VGPU_ENOMEM;
	if (sha256(folder, strlen(folder), hash) != VGPU_OK)
		return VGPU_ESYS;
	in->alias = a;
	a += in->alias_count;
	a->folder = strdup(folder);
	if (asprintf(&a->link, "%s.%.16s", in->root,
	    sha256_text(hash, name)) < 0)
		a->link = NULL;
	in->alias_count++;
	if (a->folder == NULL || a->link == NULL)
		return VGPU_ENOMEM;
	return symlink(target, a->link) == 0 || errno == EEXIST ? VGPU_OK :
	    VGPU_ESYS;
}

static void
add_option(struct buf *b, const char *folder)
{
	buf_append(b, " -I ", 4);
	buf_append(b, folder, strlen(folder));
}

static enum vgpu_err
add_folder(struct includes *in, struct buf *b, const struct span *dir,
    struct err_text *text)
{
	char target[PATH_BYTES];
	enum vgpu_err e;

	/* One that steps out of the mirror would show the host's files. */
	if (!manifest_path_ok(dir->p, dir->n))
		return err_set(text, VGPU_EPROTO, "a folder to search is not"
		    " an absolute path in its shortest form");
	snprintf(target, sizeof(target), "%s%s", in->root,
	    (const char *)dir->p);
	if (is_plain(dir->p)) {
		add_option(b, target);
		return VGPU_OK;
	}
	if ((e = add_alias(in, dir->p, target)) != VGPU_OK)
		return err_set(text, e, "no link to a folder to search");
	add_option(b, in->alias[in->alias_count - 1].link);
	return VGPU_OK;
}

enum vgpu_err
includes_make_options(struct includes *in, struct span dirs, struct err_text *text)
{
	enum vgpu_err e = VGPU_OK;
	struct span dir;
	struct buf b;

	buf_init(&b);
	while (e == VGPU_OK && list_next(&dirs, &dir))
		e = add_folder(in, &b, &dir, text);
	add_option(&b, in->root);
	buf_append_zero(&b, 1);
	if (e == VGPU_OK && b.failed)
		e = err_set(text, VGPU_ENOMEM, "out of memory");
	if (e != VGPU_OK) {
		buf_fini(&b);
		return e;
	}
	in->options = (char *)b.data;
	return VGPU_OK;
}

/* Put to, which is not longer, wherever from stands. */
static void
replace(char *log, const char *from, const char *to)
{
	const size_t n = strlen(from), m = strlen(to);
	char *p = log;

	while ((p = strstr(p, from)) != NULL) {
		memcpy(p, to, m);
		memmove(p + m, p + n, strlen(p + n) + 1);
		p += m;
	}
}

void
includes_clean(const struct includes *in, char *log)
{
	const struct includes_alias *a;
	size_t i;

	for (i = in->alias_count; i-- > 0;) {
		a = &in->alias[i];
		if (strlen(a->folder) <= strlen(a->link))
			replace(log, a->link, a->folder);
	}
	if (in->root != NULL)
		replace(log, in->root, "");
}
