/* SPDX-License-Identifier: ISC */
#include "run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/cert.h"
#include "transport/url.h"

#define PREFIX "vgpu-run-"
#define DEPTH 8
#define BASE_MAX (FOLDER_MAX - 32)
#define BASE_LOCAL_MAX \
	(URL_PATH_MAX - sizeof("/" PREFIX "XXXXXX/" FOLDER_SOCKET))
#define VALID_S (366L * 24 * 3600) /* longer than any one command runs */

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *f)
{
	(void)st;
	(void)f;
	if (flag == FTW_DP)
		rmdir(path);
	else
		unlink(path);
	return 0;
}

static void
remove_all(const char *path)
{
	nftw(path, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
}

/* Remove a folder if it is ours and its run is over. */
static void
sweep_one(const char *path)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		remove_all(path);
	close(fd);
}

static void
sweep(const char *base)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	if ((dir = opendir(base)) == NULL)
		return;
	while ((d = readdir(dir)) != NULL) {
		if (strncmp(d->d_name, PREFIX, sizeof(PREFIX) - 1) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", base, d->d_name);
		sweep_one(path);
	}
	closedir(dir);
}

static const char *
base_folder(size_t max)
{
	static const char *const names[] = { "XDG_RUNTIME_DIR", "TMPDIR" };
	const char *v;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		v = getenv(names[i]);
		if (v != NULL && v[0] == '/' &&
		    strlen(v) <= max && access(v, W_OK | X_OK) == 0)
			return v;
	}
	return "/tmp";
}

/*
 * mkdtemp and lock: in between, another run may take it for a left one, and
 * then it is gone.
 */
static enum vgpu_err
make_locked(struct folder *f, const char *base, struct err_text *text)
{
	struct stat here, there;

	for (;;) {
		snprintf(f->path, sizeof(f->path), "%s/" PREFIX "XXXXXX",
		    base);
		if (mkdtemp(f->path) == NULL)
			return err_sys(text, "cannot make a folder in %s",
			    base);
		f->lock = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (f->lock < 0 && errno == ENOENT)
			continue;
		if (f->lock < 0 || flock(f->lock, LOCK_EX) != 0)
			return err_sys(text, "cannot lock %s", f->path);
		if (fstat(f->lock, &here) == 0 && stat(f->path, &there) == 0 &&
		    here.st_ino == there.st_ino)
			return VGPU_OK;
		close(f->lock);
	}
}

enum vgpu_err
folder_make(struct folder *f, bool local, struct err_text *text)
{
	const char *base = base_folder(local ? BASE_LOCAL_MAX : BASE_MAX);

	sweep(base);
	return make_locked(f, base, text);
}

void
folder_remove(struct folder *f)
{
	remove_all(f->path);
	close(f->lock);
}

const char *
folder_file(const struct folder *f, const char *name, char *out)
{
	snprintf(out, PATH_MAX, "%s/%s", f->path, name);
	return out;
}

enum vgpu_err
folder_certify(const struct folder *f, struct err_text *text)
{
	static const char *const names[] = { "127.0.0.1", "localhost" };
	char ca_cert[PATH_MAX], cert[PATH_MAX], key[PATH_MAX];
	const struct cert_files ca_files = { ca_cert, NULL };
	const struct cert_files files = { cert, key };
	struct cert_validity valid = cert_valid_for(VALID_S);
	struct cert_ca *ca;
	enum vgpu_err rc;

	rc = cert_ca_new(&ca, "vgpu-run", valid, text);
	if (rc != VGPU_OK)
		return rc;
	folder_file(f, "ca.pem", ca_cert);
	folder_file(f, "host.pem", cert);
	folder_file(f, "host.key", key);
	rc = cert_ca_write(ca, &ca_files, text);
	if (rc == VGPU_OK)
		rc = cert_write_host(ca, names, 2, valid, &files, text);
	folder_file(f, "client.pem", cert);
	folder_file(f, "client.key", key);
	if (rc == VGPU_OK)
		rc = cert_write_client(ca, "vgpu-run", valid, &files, text);
	cert_ca_free(ca);
	return rc;
}

static enum vgpu_err
write_icd(const char *path, const char *library, struct err_text *text)
{
	FILE *f;

	if ((f = fopen(path, "we")) == NULL)
		return err_sys(text, "cannot write %s", path);
	fprintf(f, "%s\n", library);
	if (fclose(f) != 0)
		return err_sys(text, "cannot write %s", path);
	return VGPU_OK;
}

static bool
ends_with_icd(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && strcmp(name + n - 4, ".icd") == 0;
}

/* The native .icd files, but for one that may be vgpu's own. */
static enum vgpu_err
link_native(const char *vendors, const char *native, struct err_text *text)
{
	char from[PATH_MAX], to[PATH_MAX], real[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	if (realpath(native, real) == NULL || (dir = opendir(real)) == NULL)
		return err_sys(text, "cannot read %s", native);
	while ((d = readdir(dir)) != NULL) {
		if (!ends_with_icd(d->d_name) ||
		    strcmp(d->d_name, "vgpu.icd") == 0)
			continue;
		snprintf(from, sizeof(from), "%.2000s/%s", real, d->d_name);
		snprintf(to, sizeof(to), "%.2000s/%s", vendors, d->d_name);
		if (symlink(from, to) != 0)
			fprintf(stderr, "vgpu-run: %s not kept: %s\n", from,
			    strerror(errno));
	}
	closedir(dir);
	return VGPU_OK;
}

enum vgpu_err
folder_vendors(const struct folder *f, const char *icd, const char *native,
    struct err_text *text)
{
	char folder[PATH_MAX], path[PATH_MAX], library[PATH_MAX];
	enum vgpu_err rc;

	if (realpath(icd, library) == NULL)
		return err_sys(text, "vgpu's library %s (VGPU_ICD names "
		    "another)", icd);
	folder_file(f, "vendors", folder);
	if (mkdir(folder, 0700) != 0)
		return err_sys(text, "cannot make %s", folder);
	rc = write_icd(folder_file(f, "vendors/vgpu.icd", path), library,
	    text);
	if (rc == VGPU_OK && native != NULL)
		rc = link_native(folder, native, text);
	return rc;
}
