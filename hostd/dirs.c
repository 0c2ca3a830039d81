/* SPDX-License-Identifier: ISC */
#include "hostd/dirs.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder that others can pass through, with those above it. */
static enum vgpu_err
make_all(const char *path, struct err_text *text)
{
	char part[PATH_MAX];
	size_t n, len = strlen(path);

	if (len >= sizeof(part))
		return err_set(text, VGPU_ESYS, "%s: name too long", path);
	for (n = 1; n <= len; n++) {
		if (path[n] != '/' && path[n] != '\0')
			continue;
		memcpy(part, path, n);
		part[n] = '\0';
		/* whatever the umask */
		if (mkdir(part, 0711) == 0 ? chmod(part, 0711) != 0 :
		    errno != EEXIST)
			return err_sys(text, "cannot make folder %s", part);
	}
	return VGPU_OK;
}

/* A folder of the session user's own. */
static enum vgpu_err
make_private(const char *path, const struct privsep_user *user,
    struct err_text *text)
{
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return err_sys(text, "cannot make folder %s", path);
	if (user->change && lchown(path, user->uid, user->gid) != 0)
		return err_sys(text, "cannot give away folder %s", path);
	return VGPU_OK;
}

void
dirs_probe(const char *state_dir, char *out, size_t size)
{
	snprintf(out, size, "%s/probe", state_dir);
}

enum vgpu_err
dirs_make(const char *state_dir, const struct privsep_user *user,
    struct err_text *text)
{
	char path[PATH_MAX];
	enum vgpu_err rc;

	snprintf(path, sizeof(path), "%s/tenants", state_dir);
	if ((rc = make_all(path, text)) != VGPU_OK)
		return rc;
	dirs_probe(state_dir, path, sizeof(path));
	return make_private(path, user, text);
}

enum vgpu_err
dirs_check(const char *state_dir, const struct privsep_user *user,
    struct err_text *text)
{
	const struct passwd *p = getpwuid(user->uid);
	char path[PATH_MAX], part[PATH_MAX];
	struct stat st;
	size_t n, len;

	snprintf(path, sizeof(path), "%s/tenants", state_dir);
	len = strlen(path);
	for (n = 1; user->change && n <= len; n++) {
		if (path[n] != '/' && path[n] != '\0')
			continue;
		memcpy(part, path, n);
		part[n] = '\0';
		if (stat(part, &st) != 0)
			break; /* dirs_make will make it, and those below */
		if (!privsep_can_enter(user, part))
			return err_set(text, VGPU_ECONF, "state-dir: user "
			    "\"%s\" cannot enter folder %s; do \"chmod a+x "
			    "%s\", or set another state-dir or session-user",
			    p != NULL ? p->pw_name : "?", part, part);
	}
	return VGPU_OK;
}

/* Letters, digits, '-' and '_' stay, and dots but the first; else %XX. */
static void
safe_name(const char *name, char *out, size_t size)
{
	size_t at = 0;
	unsigned char c;
	const char *p;

	for (p = name; *p != '\0' && at + 4 < size; p++) {
		c = (unsigned char)*p;
		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || c == '-' || c == '_' ||
		    (c == '.' && p != name))
			out[at++] = (char)c;
		else
			at += (size_t)snprintf(out + at, size - at, "%%%02X",
			    c);
	}
	out[at] = '\0';
}

enum vgpu_err
dirs_tenant(const char *state_dir, const char *tenant,
    const struct privsep_user *user, char *out, size_t size,
    struct err_text *text)
{
	char name[NAME_MAX + 1];
	int n;

	safe_name(tenant, name, sizeof(name));
	n = snprintf(out, size, "%s/tenants/%s", state_dir, name);
	if (n < 0 || (size_t)n >= size)
		return err_set(text, VGPU_ESYS, "%s: name too long", tenant);
	return make_private(out, user, text);
}

void
dirs_of_socket(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (slash == NULL || slash == path ||
	    (size_t)(slash - path) >= sizeof(folder))
		return;
	memcpy(folder, path, (size_t)(slash - path));
	folder[slash - path] = '\0';
	if (mkdir(folder, 0755) == 0)
		chmod(folder, 0755);
}
