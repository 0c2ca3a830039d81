/* SPDX-License-Identifier: ISC */
#include "hostd/includes_private.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/manifest.h"
#include "common/sha256.h"

/* ---- files and folders ------------------------------------------------- */

/* Make the folders of a path, up to its last '/' or, with all, the whole. */
static bool
make_folders(char *path, bool all)
{
	char *p;

	for (p = strchr(path + 1, '/'); p != NULL; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(path, 0755) != 0 && errno != EEXIST) {
			*p = '/';
			return false;
		}
		*p = '/';
	}
	return !all || mkdir(path, 0755) == 0 || errno == EEXIST;
}

/* A whole file or none, even when two sessions write it. */
static bool
write_file(const char *path, const void *p, size_t n)
{
	char temporary[PATH_BYTES];
	FILE *f;
	int fd;
	bool ok;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    (int)sizeof(temporary) || (fd = mkostemp(temporary, O_CLOEXEC)) < 0)
		return false;
	if ((f = fdopen(fd, "w")) == NULL) {
		close(fd);
		unlink(temporary);
		return false;
	}
	ok = fchmod(fd, 0644) == 0 && (n == 0 || fwrite(p, n, 1, f) == 1);
	ok = fclose(f) == 0 && ok;
	if (!ok || rename(temporary, path) != 0) {
		unlink(temporary);
		return false;
	}
	return true;
}

static void
store_path(char out[PATH_BYTES], const char *state_dir,
    const uint8_t hash[SHA256_LEN])
{
	char text[SHA256_TEXT];

	snprintf(out, PATH_BYTES, "%s/files/%s", state_dir,
	    sha256_text(hash, text));
}

/* Bytes that this process has stored. */
static atomic_uint_fast64_t stored;

static enum vgpu_err
store_file(const char *state_dir, const struct span *file,
    struct err_text *text)
{
	char path[PATH_BYTES];
	uint8_t hash[SHA256_LEN];

	if (sha256(file->p, file->n, hash) != VGPU_OK)
		return err_set(text, VGPU_ESYS, "no SHA-256");
	store_path(path, state_dir, hash);
	if (access(path, R_OK) == 0)
		return VGPU_OK;
	if (atomic_fetch_add(&stored, file->n) + file->n >
	    INCLUDES_SESSION_MAX)
		return err_set(text, VGPU_EQUOTA, "more than %llu bytes of"
		    " include files", (unsigned long long)INCLUDES_SESSION_MAX);
	if (!make_folders(path, false) || !write_file(path, file->p, file->n))
		return err_sys(text, "%s", path);
	return VGPU_OK;
}

static enum vgpu_err
store_files(const char *state_dir, struct span files, struct err_text *text)
{
	struct span file;
	enum vgpu_err e = VGPU_OK;

	while (e == VGPU_OK && list_next(&files, &file))
		e = store_file(state_dir, &file, text);
	return e;
}

/* ---- the mirror -------------------------------------------------------- */

/* Put one entry of the manifest below root. */
static enum vgpu_err
place_entry(const char *state_dir, const char *root,
    const struct manifest_entry *e, struct err_text *text)
{
	char path[PATH_BYTES], from[PATH_BYTES];

	if (snprintf(path, sizeof(path), "%s%.*s", root, (int)e->path_len,
	    e->path) >= (int)sizeof(path))
		return err_set(text, VGPU_EPROTO, "path too long");
	if (!make_folders(path, e->is_folder))
		return err_sys(text, "%s", path);
	if (e->is_folder)
		return VGPU_OK;
	store_path(from, state_dir, e->hash);
	if (link(from, path) == 0 || errno == EEXIST)
		return VGPU_OK;
	if (errno == ENOENT)
		return err_set(text, VGPU_EPROTO, "the contents of %.*s never"
		    " came", (int)e->path_len, e->path);
	return err_sys(text, "%s", path);
}

static int
remove_entry(const char *path, const struct stat *st, int kind,
    struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

static void
remove_tree(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Count an entry against the limits of one build. */
static enum vgpu_err
count_entry(const struct manifest_entry *e, unsigned *entries,
    uint64_t *bytes, struct err_text *text)
{
	if (++*entries > INCLUDES_ENTRIES_MAX)
		return err_set(text, VGPU_EQUOTA, "more than %u include files",
		    INCLUDES_ENTRIES_MAX);
	if (e->is_folder)
		return VGPU_OK;
	if (e->size > INCLUDES_BYTES_MAX - *bytes)
		return err_set(text, VGPU_EQUOTA, "include files of more than"
		    " %llu bytes", (unsigned long long)INCLUDES_BYTES_MAX);
	*bytes += e->size;
	return VGPU_OK;
}

static enum vgpu_err
fill_mirror(const char *state_dir, const char *root,
    const struct span *manifest, struct err_text *text)
{
	struct manifest_reader r;
	struct manifest_entry e;
	enum vgpu_err rc;
	unsigned entries = 0;
	uint64_t bytes = 0;

	manifest_reader_init(&r, manifest->p, manifest->n);
	while ((rc = manifest_next(&r, &e, text)) == VGPU_OK)
		if ((rc = count_entry(&e, &entries, &bytes, text)) !=
		    VGPU_OK ||
		    (rc = place_entry(state_dir, root, &e, text)) != VGPU_OK)
			return rc;
	return rc == VGPU_EAGAIN ? VGPU_OK : rc;
}

/* Build it under another name, so that it is there as a whole or not. */
static enum vgpu_err
make_mirror(const char *state_dir, const char *root,
    const struct span *manifest, struct err_text *text)
{
	char temporary[PATH_BYTES];
	enum vgpu_err e;

	if (access(root, R_OK | X_OK) == 0)
		return VGPU_OK;
	snprintf(temporary, sizeof(temporary), "%s.XXXXXX", root);
	if (!make_folders(temporary, false) || mkdtemp(temporary) == NULL)
		return err_sys(text, "%s", temporary);
	e = fill_mirror(state_dir, temporary, manifest, text);
	if (e == VGPU_OK && rename(temporary, root) != 0 &&
	    access(root, R_OK | X_OK) != 0)
		e = err_sys(text, "%s", root);
	if (e != VGPU_OK)
		remove_tree(temporary);
	return e;
}

enum vgpu_err
includes_open(struct includes *in, const char *state_dir,
    const struct span *dirs, const struct span *manifest,
    const struct span *files, struct err_text *text)
{
	uint8_t hash[SHA256_LEN];
	char name[SHA256_TEXT];
	enum vgpu_err e;

	memset(in, 0, sizeof(*in));
	if ((e = store_files(state_dir, *files, text)) != VGPU_OK)
		return e;
	if (manifest->n == 0) {
		in->options = strdup("");
		return in->options != NULL ? VGPU_OK : VGPU_ENOMEM;
	}
	if (sha256(manifest->p, manifest->n, hash) != VGPU_OK ||
	    asprintf(&in->root, "%s/include/%s", state_dir,
	    sha256_text(hash, name)) < 0) {
		in->root = NULL;
		return err_set(text, VGPU_ENOMEM, "out of memory");
	}
	if ((e = make_mirror(state_dir, in->root, manifest, text)) != VGPU_OK ||
	    (e = includes_make_options(in, *dirs, text)) != VGPU_OK)
		includes_fini(in);
	return e;
}

void
includes_fini(struct includes *in)
{
	size_t i;

	for (i = 0; i < in->alias_count; i++) {
		free(in->alias[i].link);
		free(in->alias[i].folder);
	}
	free(in->alias);
	free(in->options);
	free(in->root);
	memset(in, 0, sizeof(*in));
}
