/* SPDX-License-Identifier: ISC */
#include "hostd/privsep.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <linux/close_range.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILES_MAX 4096

static void
add_group(struct privsep_user *u, const char *name)
{
	const struct group *g = getgrnam(name);
	unsigned i;

	if (g == NULL || u->group_count == PRIVSEP_GROUPS_MAX)
		return;
	for (i = 0; i < u->group_count; i++)
		if (u->groups[i] == g->gr_gid)
			return;
	u->groups[u->group_count++] = g->gr_gid;
}

enum vgpu_err
privsep_lookup(const char *name, struct privsep_user *u, struct err_text *text)
{
	const struct passwd *p;
	int n = PRIVSEP_GROUPS_MAX - 2;

	memset(u, 0, sizeof(*u));
	if (geteuid() != 0)
		return VGPU_OK;
	if (name == NULL)
		name = getpwnam(PRIVSEP_USER) != NULL ? PRIVSEP_USER :
		    PRIVSEP_NOBODY;
	if ((p = getpwnam(name)) == NULL)
		return err_set(text, VGPU_ECONF, "session-user: there is no "
		    "user \"%s\"", name);
	u->change = p->pw_uid != 0;
	u->uid = p->pw_uid;
	u->gid = p->pw_gid;
	if (getgrouplist(name, p->pw_gid, u->groups, &n) < 0)
		n = PRIVSEP_GROUPS_MAX - 2; /* more than there is room for */
	u->group_count = (unsigned)n;
	add_group(u, "video");
	add_group(u, "render");
	return VGPU_OK;
}

void
privsep_fresh(int keep)
{
	sigset_t none;
	int s;

	for (s = 1; s < NSIG; s++)
		if (s != SIGKILL && s != SIGSTOP)
			signal(s, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close_range((unsigned)keep + 1, UINT_MAX, 0);
	umask(077);
}

static enum vgpu_err
limit(struct err_text *text)
{
	struct rlimit r = { 0, 0 };

	if (setrlimit(RLIMIT_CORE, &r) != 0)
		return err_sys(text, "cannot forbid core files");
	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_max > FILES_MAX) {
		r.rlim_cur = r.rlim_max = FILES_MAX;
		if (setrlimit(RLIMIT_NOFILE, &r) != 0)
			return err_sys(text, "cannot limit open files");
	}
	return VGPU_OK;
}

static enum vgpu_err
become(const struct privsep_user *u, struct err_text *text)
{
	if (setgroups(u->group_count, u->groups) != 0 ||
	    setresgid(u->gid, u->gid, u->gid) != 0 ||
	    setresuid(u->uid, u->uid, u->uid) != 0)
		return err_sys(text, "cannot become user %u", u->uid);
	if (setresuid(0, 0, 0) == 0 || geteuid() != u->uid)
		return err_set(text, VGPU_ESYS, "user %u did not stay",
		    u->uid);
	/* sessions share this user: none may look into another */
	if (prctl(PR_SET_DUMPABLE, 0) != 0)
		return err_sys(text, "cannot become undumpable");
	return VGPU_OK;
}

bool
privsep_can_enter(const struct privsep_user *u, const char *folder)
{
	struct err_text text;
	int status = 1;
	pid_t pid;

	if (!u->change)
		return access(folder, X_OK) == 0;
	if ((pid = fork()) == 0)
		_exit(become(u, &text) != VGPU_OK ||
		    access(folder, X_OK) != 0);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	return pid > 0 && status == 0;
}

enum vgpu_err
privsep_drop(const struct privsep_user *u, struct err_text *text)
{
	pid_t parent = getppid();
	enum vgpu_err rc;

	if ((rc = limit(text)) != VGPU_OK)
		return rc;
	if (u->change && (rc = become(u, text)) != VGPU_OK)
		return rc;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return err_sys(text, "cannot give up new privileges");
	/* a change of user has cleared what spawn set */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		return err_sys(text, "cannot ask to end with the parent");
	if (getppid() != parent)
		return err_set(text, VGPU_ESYS, "the parent is gone");
	return VGPU_OK;
}
