/* SPDX-License-Identifier: ISC */
#include "hostd/build_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostd/memfd.h"

#define MAGIC "vGPUbld1"
#define MAGIC_LEN 8
#define HEAD_LEN (MAGIC_LEN + SHA256_LEN)

static bool
path_of(char out[PATH_MAX], const char *folder, const uint8_t *key)
{
	char name[SHA256_TEXT];

	return snprintf(out, PATH_MAX, "%s/%s", folder,
	    sha256_text(key, name)) < PATH_MAX;
}

/* ---- out --------------------------------------------------------------- */

/* A head with this key, and a hash that is right. */
static bool
is_whole(const struct buf *b, const uint8_t *key)
{
	const uint8_t *p = buf_front(b);
	const size_t n = buf_len(b);
	uint8_t hash[SHA256_LEN];

	return n >= HEAD_LEN + SHA256_LEN &&
	    memcmp(p, MAGIC, MAGIC_LEN) == 0 &&
	    memcmp(p + MAGIC_LEN, key, SHA256_LEN) == 0 &&
	    sha256(p, n - SHA256_LEN, hash) == VGPU_OK &&
	    memcmp(p + n - SHA256_LEN, hash, SHA256_LEN) == 0;
}

static enum vgpu_err
read_entry(int fd, const uint8_t *key, struct buf *out)
{
	struct stat st;
	enum vgpu_err e;

	if (fstat(fd, &st) != 0)
		return VGPU_ESYS;
	if (!S_ISREG(st.st_mode) || st.st_size > (off_t)BUILD_STORE_ENTRY_MAX)
		return VGPU_EPROTO;
	e = memfd_read(fd, BUILD_STORE_ENTRY_MAX, out, NULL);
	if (e == VGPU_OK && !is_whole(out, key))
		e = VGPU_EPROTO;
	if (e != VGPU_OK)
		return e;
	buf_take(out, HEAD_LEN);
	out->end -= SHA256_LEN;
	/* It was used now: it goes last. */
	futimens(fd, NULL);
	return VGPU_OK;
}

enum vgpu_err
build_store_get(const char *folder, const uint8_t key[SHA256_LEN],
    struct buf *out)
{
	char path[PATH_MAX];
	enum vgpu_err e;
	int fd;

	if (!path_of(path, folder, key))
		return VGPU_ESYS;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT ? VGPU_EAGAIN : VGPU_ESYS;
	e = read_entry(fd, key, out);
	close(fd);
	if (e == VGPU_EPROTO)
		unlink(path);
	return e;
}

void
build_store_remove(const char *folder, const uint8_t key[SHA256_LEN])
{
	char path[PATH_MAX];

	if (path_of(path, folder, key))
		unlink(path);
}

/* ---- the limit --------------------------------------------------------- */

struct kept {
	char name[NAME_MAX + 1];
	uint64_t size;
	struct timespec used;
};

struct listing {
	struct kept *all;
	size_t count, room;
	uint64_t bytes;
};

static int
older_first(const void *va, const void *vb)
{
	const struct timespec *a = &((const struct kept *)va)->used;
	const struct timespec *b = &((const struct kept *)vb)->used;

	if (a->tv_sec != b->tv_sec)
		return a->tv_sec < b->tv_sec ? -1 : 1;
	return a->tv_nsec < b->tv_nsec ? -1 : a->tv_nsec > b->tv_nsec;
}

static bool
list_file(struct listing *l, int dir, const char *name)
{
	struct kept *all = l->all, *k;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    S_ISDIR(st.st_mode))
		return true;
	if (l->count == l->room) {
		l->room = l->room > 0 ? 2 * l->room : 64;
		if ((all = realloc(all, l->room * sizeof(*all))) == NULL)
			return false;
		l->all = all;
	}
	k = &l->all[l->count++];
	snprintf(k->name, sizeof(k->name), "%s", name);
	k->size = (uint64_t)st.st_size;
	k->used = st.st_mtim;
	l->bytes += k->size;
	return true;
}

/* Remove what was used longest ago, also what others have left half written. */
static void
trim(const char *folder, uint64_t limit)
{
	DIR *dir = opendir(folder);
	struct listing l = { NULL, 0, 0, 0 };
	const struct dirent *d;
	bool ok = true;
	size_t i;

	if (dir == NULL)
		return;
	while (ok && (d = readdir(dir)) != NULL)
		ok = list_file(&l, dirfd(dir), d->d_name);
	if (ok && l.bytes > limit)
		qsort(l.all, l.count, sizeof(*l.all), older_first);
	for (i = 0; ok && i < l.count && l.bytes > limit; i++) {
		unlinkat(dirfd(dir), l.all[i].name, 0);
		l.bytes -= l.all[i].size;
	}
	free(l.all);
	closedir(dir);
}

/* ---- in ---------------------------------------------------------------- */

static enum vgpu_err
write_all(int fd, const void *p, size_t n)
{
	const uint8_t *at = p;
	ssize_t put;

	for (; n > 0; n -= (size_t)put, at += put) {
		put = write(fd, at, n);
		if (put < 0 && errno == EINTR)
			put = 0;
		else if (put <= 0)
			return VGPU_ESYS;
	}
	return VGPU_OK;
}

/* As a whole or not at all, whoever else writes the same. */
static enum vgpu_err
write_file(const char *path, const struct buf *b, struct err_text *text)
{
	char temporary[PATH_MAX];
	enum vgpu_err e = VGPU_OK;
	int fd;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    (int)sizeof(temporary))
		return err_set(text, VGPU_ESYS, "%s: name too long", path);
	if ((fd = mkostemp(temporary, O_CLOEXEC)) < 0)
		return err_sys(text, "%s", temporary);
	if (write_all(fd, buf_front(b), buf_len(b)) != VGPU_OK ||
	    rename(temporary, path) != 0) {
		e = err_sys(text, "%s", path);
		unlink(temporary);
	}
	close(fd);
	return e;
}

static enum vgpu_err
make_entry(struct buf *b, const uint8_t *key, const void *p, size_t n)
{
	uint8_t hash[SHA256_LEN];

	buf_append(b, MAGIC, MAGIC_LEN);
	buf_append(b, key, SHA256_LEN);
	buf_append(b, p, n);
	if (b->failed)
		return VGPU_ENOMEM;
	if (sha256(buf_front(b), buf_len(b), hash) != VGPU_OK)
		return VGPU_ESYS;
	buf_append(b, hash, SHA256_LEN);
	return b->failed ? VGPU_ENOMEM : VGPU_OK;
}

enum vgpu_err
build_store_put(const char *folder, uint64_t limit,
    const uint8_t key[SHA256_LEN], const void *p, size_t n,
    struct err_text *text)
{
	char path[PATH_MAX];
	struct buf b;
	enum vgpu_err e;

	if (n > BUILD_STORE_ENTRY_MAX - HEAD_LEN - SHA256_LEN ||
	    n + HEAD_LEN + SHA256_LEN > limit)
		return err_set(text, VGPU_EQUOTA, "%zu bytes are too many", n);
	if (!path_of(path, folder, key))
		return err_set(text, VGPU_ESYS, "%s: name too long", folder);
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		return err_sys(text, "%s", folder);
	buf_init(&b);
	if ((e = make_entry(&b, key, p, n)) != VGPU_OK)
		err_set(text, e, "out of memory");
	else if ((e = write_file(path, &b, text)) == VGPU_OK)
		trim(folder, limit);
	buf_fini(&b);
	return e;
}
