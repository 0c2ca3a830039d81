/* SPDX-License-Identifier: ISC */
#include "hostd/home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostd/spawn.h"

#define POCL "pocl"	/* which PoCL makes when it is loaded, not later */
#define LEFT "tempfile_"	/* and six letters */
#define LEFT_LEN (sizeof(LEFT) - 1 + 6)

/* To its place, also for what vendors start, linkers for one. */
static enum vgpu_err
place(int fd, struct err_text *text)
{
	int rc;

	if (fd < 0)
		return VGPU_ESYS;
	if (fd == SPAWN_FD_HOME) {
		rc = fcntl(fd, F_SETFD, 0);
	} else {
		rc = dup2(fd, SPAWN_FD_HOME);
		close(fd);
	}
	return rc < 0 ? err_sys(text, "cannot place the home") : VGPU_OK;
}

/* ---- what is left over ----------------------------------------------------- */

/*
 * PoCL makes an empty file when it is loaded, so that it has one that a signal may
 * remove, and never looks at it again.  Those that it uses have a suffix.
 */
static bool
is_left(int folder, const char *name)
{
	struct stat st;

	return strncmp(name, LEFT, sizeof(LEFT) - 1) == 0 &&
	    strlen(name) == LEFT_LEN && strchr(name, '.') == NULL &&
	    fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(st.st_mode) && st.st_size == 0;
}

static void
clean(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	if (d == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d)) != NULL)
		if (is_left(fd, e->d_name))
			unlinkat(fd, e->d_name, 0);
	closedir(d);
}

/* ---- the home -------------------------------------------------------------- */

enum vgpu_err
home_change(const struct privsep_user *u, const char *folder,
    struct err_text *text)
{
	char path[PATH_MAX];
	int fd;

	if (!u->change)
		return VGPU_OK;
	snprintf(path, sizeof(path), "%s/" POCL, folder);
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return err_sys(text, "cannot make folder %s", path);
	clean(path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(text, "cannot open folder %s", folder);
	return place(fd, text);
}

enum vgpu_err
home_open(const struct privsep_user *u, const char *folder,
    struct err_text *text)
{
	char name[64], cache[96];

	if (!u->change)
		return VGPU_OK;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", SPAWN_FD_HOME);
	snprintf(cache, sizeof(cache), "%s/" POCL, name);
	setenv("HOME", name, 1);
	unsetenv("XDG_CACHE_HOME");
	setenv("POCL_CACHE_DIR", cache, 1);
	return home_change(u, folder, text);
}
