/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/vec.h"

void
tree_init(struct tree *t, size_t max_files, size_t max_bytes)
{
	memset(t, 0, sizeof(*t));
	t->max_files = max_files;
	t->max_bytes = max_bytes;
}

static void
file_free(struct tree_file *f)
{
	if (f == NULL)
		return;
	free(f->path);
	free(f->data);
	free(f);
}

static void
keep(void *node)
{
	(void)node;
}

void
tree_fini(struct tree *t)
{
	size_t i;

	tdestroy(t->index, keep);
	for (i = 0; i < t->n; i++)
		file_free(t->file[i]);
	free(t->file);
	memset(t, 0, sizeof(*t));
}

char *
tree_join(const char *folder, const char *name)
{
	char *path;

	if (name[0] == '/')
		return strdup(name);
	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Drop the last component of the n bytes at s; the new length. */
static size_t
drop_last(const char *s, size_t n)
{
	while (n > 0 && s[n - 1] != '/')
		n--;
	return n > 0 ? n - 1 : 0;
}

char *
tree_canonical(const char *path, size_t n)
{
	char *s = malloc(n + 2);
	size_t at = 0, i, len;

	if (s == NULL)
		return NULL;
	for (i = 0; i < n; i += len) {
		for (len = 0; i + len < n && path[i + len] != '/';)
			len++;
		if (len == 2 && path[i] == '.' && path[i + 1] == '.') {
			at = drop_last(s, at);
		} else if (len > 0 && !(len == 1 && path[i] == '.')) {
			s[at++] = '/';
			memcpy(s + at, path + i, len);
			at += len;
		}
		len++; /* the slash */
	}
	if (at == 0)
		s[at++] = '/';
	s[at] = '\0';
	return s;
}

/* Whether a path has a ".." for a component. */
static bool
has_dots(const char *path)
{
	const char *p;

	for (p = path; (p = strstr(p, "/..")) != NULL; p += 3)
		if (p[3] == '/' || p[3] == '\0')
			return true;
	return false;
}

static bool
is_same_file(const char *path, const struct stat *st)
{
	struct stat other;

	return stat(path, &other) == 0 && other.st_dev == st->st_dev &&
	    other.st_ino == st->st_ino;
}

enum vgpu_err
tree_resolve(const char *spelled, char **path, bool *as_text)
{
	char *text = tree_canonical(spelled, strlen(spelled)), *real;
	struct stat st;

	if (text == NULL)
		return VGPU_ENOMEM;
	if (has_dots(spelled)) {
		if (stat(spelled, &st) != 0) {
			free(text);
			return VGPU_EHANDLE;
		}
		if (!is_same_file(text, &st)) {
			free(text);
			if ((real = realpath(spelled, NULL)) == NULL)
				return errno == ENOMEM ? VGPU_ENOMEM :
				    VGPU_EHANDLE;
			*path = real;
			*as_text = false;
			return VGPU_OK;
		}
	}
	*path = text;
	*as_text = true;
	return VGPU_OK;
}

/* A descriptor of a regular file, or -1; nothing else is ever opened. */
static int
open_regular(const char *name, struct stat *st)
{
	int fd;

	if (stat(name, st) != 0 || !S_ISREG(st->st_mode))
		return -1;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode))
		return fd;
	close(fd);
	return -1;
}

/*
 * Read at most max bytes until the file's end, which need not be where fstat
 * said; one byte more is read to see a file that is too long.
 */
static enum vgpu_err
read_all(int fd, size_t expected, size_t max, struct tree_file *f)
{
	size_t size = expected < max ? expected + 1 : max + 1;
	char *more;
	ssize_t got = 1;

	if ((f->data = malloc(size)) == NULL)
		return VGPU_ENOMEM;
	while (got != 0 && f->len <= max) {
		if (f->len == size) {
			size = size < max / 2 ? 2 * size : max + 1;
			if ((more = realloc(f->data, size)) == NULL)
				return VGPU_ENOMEM;
			f->data = more;
		}
		got = read(fd, f->data + f->len, size - f->len);
		if (got < 0 && errno != EINTR)
			return VGPU_EHANDLE;
		if (got > 0)
			f->len += (size_t)got;
	}
	return f->len <= max ? VGPU_OK : VGPU_EQUOTA;
}

static enum vgpu_err
too_much(const struct tree *t, const char *name, struct err_text *text)
{
	if (t->n == t->max_files)
		return err_set(text, VGPU_EQUOTA, "include files: more than "
		    "%zu, at %s", t->max_files, name);
	return err_set(text, VGPU_EQUOTA, "include files: more than %zu bytes, "
	    "at %s", t->max_bytes, name);
}

static enum vgpu_err
read_file(const struct tree *t, struct tree_file *f, struct err_text *text)
{
	struct stat st;
	int fd = open_regular(f->path, &st);
	enum vgpu_err e;

	if (fd < 0)
		return VGPU_EHANDLE;
	if (t->n == t->max_files)
		e = VGPU_EQUOTA;
	else
		e = read_all(fd, (size_t)st.st_size, t->max_bytes - t->bytes,
		    f);
	close(fd);
	return e == VGPU_EQUOTA ? too_much(t, f->path, text) : e;
}

static int
compare_paths(const void *a, const void *b)
{
	const struct tree_file *f = a, *g = b;

	return strcmp(f->path, g->path);
}

/* Enter a file, which the tree then owns. */
static enum vgpu_err
enter(struct tree *t, struct tree_file *f)
{
	struct tree_file **v = vec_more(t->file, t->n, sizeof(*v));

	if (v == NULL)
		return VGPU_ENOMEM;
	t->file = v;
	if (tsearch(f, &t->index, compare_paths) == NULL)
		return VGPU_ENOMEM;
	t->file[t->n++] = f;
	t->bytes += f->len;
	return VGPU_OK;
}

enum vgpu_err
tree_find(struct tree *t, const char *path, struct err_text *text)
{
	struct tree_file *f = calloc(1, sizeof(*f));
	enum vgpu_err e;

	if (f == NULL || (f->path = strdup(path)) == NULL) {
		free(f);
		return VGPU_ENOMEM;
	}
	if (tfind(f, &t->index, compare_paths) != NULL) {
		file_free(f);
		return VGPU_OK;
	}
	if ((e = read_file(t, f, text)) == VGPU_OK)
		e = enter(t, f);
	if (e != VGPU_OK)
		file_free(f);
	return e;
}
