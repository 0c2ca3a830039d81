/* SPDX-License-Identifier: ISC */
#include "run/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"

#define READY_MS 60000	/* above the longest probe-timeout that makes sense */
#define STOP_MS 5000
#define POLL_MS 2
#define ARGS_MAX 48
#define LAST_WORDS 4096

/* The command line of the daemon, allocated; see add_line. */
struct args {
	char *v[ARGS_MAX];
	unsigned n;
};

static void
add(struct args *a, const char *text)
{
	if (a->n < ARGS_MAX - 1)
		a->v[a->n++] = strdup(text);
}

/* -o 'keyword = "value"', in the configuration's quotes. */
static void
add_line(struct args *a, const char *keyword, const char *value)
{
	char line[2 * PATH_MAX];
	size_t n;

	n = (size_t)snprintf(line, sizeof(line), "%s = '", keyword);
	for (; *value != '\0' && n < sizeof(line) - 4; value++) {
		if (*value == '\'' || *value == '\\')
			line[n++] = '\\';
		line[n++] = *value;
	}
	line[n++] = '\'';
	line[n] = '\0';
	add(a, "-o");
	add(a, line);
}

static void
add_file(struct args *a, const char *keyword, const struct folder *f,
    const char *name)
{
	char path[PATH_MAX];

	add_line(a, keyword, folder_file(f, name, path));
}

/* What is worth keeping between runs; else it goes with the folder. */
static void
add_state(struct args *a, const struct folder *f)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char path[PATH_MAX];

	if (cache != NULL && cache[0] == '/')
		snprintf(path, sizeof(path), "%s/vgpu", cache);
	else if (home != NULL && home[0] == '/')
		snprintf(path, sizeof(path), "%s/.cache/vgpu", home);
	else
		folder_file(f, "state", path);
	add_line(a, "state-dir", path);
}

/* Where it listens, and to whom. */
static void
add_listener(struct args *a, const struct folder *f, const struct options *o)
{
	char path[PATH_MAX], url[PATH_MAX + 16];

	add_file(a, "port-file", f, "port");
	if (o->local) {
		snprintf(url, sizeof(url), "vgpu+unix:%s",
		    folder_file(f, FOLDER_SOCKET, path));
		add_line(a, "listen", url);
		add_line(a, "socket-mode", "0600");
		snprintf(url, sizeof(url), "tenant-default { users = {\"%u\"} "
		    "}", (unsigned)geteuid());
		add(a, "-o");
		add(a, url);
		return;
	}
	add_line(a, "listen", "vgpu://127.0.0.1:0");
	add_file(a, "ca", f, "ca.pem");
	add_file(a, "certificate", f, "host.pem");
	add_file(a, "key", f, "host.key");
	add(a, "-o");
	add(a, "tenant-default { allow-any = yes }");
}

static enum vgpu_err
add_vendors(struct args *a, const char *vendors, struct err_text *text)
{
	char path[PATH_MAX];

	if (vendors == NULL)
		return VGPU_OK;
	if (realpath(vendors, path) == NULL)
		return err_sys(text, "--vendors %s", vendors);
	add_line(a, "vendors", path);
	return VGPU_OK;
}

static enum vgpu_err
make_args(struct args *a, const char *program, const struct folder *f,
    const struct options *o, struct err_text *text)
{
	const struct passwd *user = getpwuid(geteuid());
	char control[PATH_MAX];

	memset(a, 0, sizeof(*a));
	add(a, program);
	add(a, "-f");
	add(a, o->conf != NULL ? o->conf : "/dev/null");
	if (o->conf == NULL) /* one command, mostly of one process */
		add_line(a, "warm-sessions", "1");
	if (o->verbose > 1)
		add(a, "-d");
	add_listener(a, f, o);
	if (strlen(folder_file(f, FOLDER_CONTROL, control)) <=
	    FOLDER_CONTROL_MAX)
		add_line(a, "control", control);
	add_state(a, f);
	if (user != NULL)
		add_line(a, "session-user", user->pw_name);
	if (o->as != NULL)
		add_line(a, "present-as", o->as);
	if (o->view != NULL)
		add_line(a, "view", o->view);
	return add_vendors(a, o->vendors, text);
}

static void
free_args(struct args *a)
{
	while (a->n > 0)
		free(a->v[--a->n]);
}

/* The program itself, or where PATH has it. */
static void __attribute__((noreturn))
child(char **argv, int log, pid_t parent)
{
	sigset_t none;
	int null;

	setpgid(0, 0); /* signals of the terminal are the command's */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	execv(argv[0], argv);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0],
	    strerror(errno));
	_exit(127);
}

/* Nothing of an outer vgpu-run or of the loader's settings is for it. */
static void
clean_environment(void)
{
	static const char *const names[] = { "VGPU_HOST", "VGPU_CA",
		"VGPU_CERT", "VGPU_KEY", "VGPU_HOST_USER", "OCL_ICD_VENDORS",
		"OCL_ICD_FILENAMES", "OPENCL_VENDOR_PATH", "OPENCL_LAYERS" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
}

enum vgpu_err
daemon_start(struct daemon *d, const char *program, const struct folder *f,
    const struct options *o, struct err_text *text)
{
	char path[PATH_MAX];
	pid_t parent = getpid();
	struct args args;
	enum vgpu_err rc;
	int log;

	if ((rc = make_args(&args, program, f, o, text)) != VGPU_OK) {
		free_args(&args);
		return rc;
	}
	log = o->verbose > 0 ? STDERR_FILENO :
	    open(folder_file(f, "log", path),
	    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	d->pid = log < 0 ? -1 : fork();
	if (d->pid == 0) {
		clean_environment();
		child(args.v, log, parent);
	}
	free_args(&args);
	if (log > STDERR_FILENO)
		close(log);
	if (d->pid < 0)
		return err_sys(text, "cannot start the daemon");
	return VGPU_OK;
}

/* The last line of its log, without its name in front. */
static void
last_words(const struct folder *f, struct err_text *text)
{
	static const char name[] = "vgpu-hostd: ";
	char path[PATH_MAX], bytes[LAST_WORDS + 1], *line;
	ssize_t got = 0;
	off_t size;
	int fd;

	fd = open(folder_file(f, "log", path), O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		size = lseek(fd, 0, SEEK_END);
		got = pread(fd, bytes, LAST_WORDS,
		    size > LAST_WORDS ? size - LAST_WORDS : 0);
		close(fd);
	}
	if (got <= 0) {
		err_set(text, VGPU_ECONF, "the daemon ended at its start%s",
		    fd >= 0 ? ", without a word" : "");
		return;
	}
	bytes[got] = '\0';
	if (bytes[got - 1] == '\n')
		bytes[got - 1] = '\0';
	line = strrchr(bytes, '\n');
	line = line == NULL ? bytes : line + 1;
	if (strncmp(line, name, sizeof(name) - 1) == 0)
		line += sizeof(name) - 1;
	err_set(text, VGPU_ECONF, "%s", line);
}

static bool
read_port(struct daemon *d, const struct folder *f)
{
	char path[PATH_MAX];
	bool found;
	FILE *file;

	if ((file = fopen(folder_file(f, "port", path), "re")) == NULL)
		return false;
	found = fscanf(file, "%u", &d->port) == 1;
	fclose(file);
	return found;
}

enum vgpu_err
daemon_wait(struct daemon *d, const struct folder *f,
    bool (*interrupted)(void), struct err_text *text)
{
	const struct timespec pause = { 0, POLL_MS * 1000000L };
	int64_t deadline = clock_ms() + READY_MS;

	while (!read_port(d, f)) {
		if (waitpid(d->pid, NULL, WNOHANG) == d->pid) {
			d->pid = -1;
			last_words(f, text);
			return VGPU_ECONF;
		}
		if (interrupted())
			return VGPU_EAGAIN;
		if (clock_ms() > deadline)
			return err_set(text, VGPU_ETIME, "the daemon is not "
			    "ready after %d s", READY_MS / 1000);
		nanosleep(&pause, NULL);
	}
	return VGPU_OK;
}

void
daemon_stop(struct daemon *d)
{
	const struct timespec pause = { 0, POLL_MS * 1000000L };
	int64_t deadline = clock_ms() + STOP_MS;

	if (d->pid <= 0)
		return;
	kill(d->pid, SIGTERM);
	while (waitpid(d->pid, NULL, WNOHANG) == 0) {
		if (clock_ms() > deadline)
			kill(d->pid, SIGKILL);
		nanosleep(&pause, NULL);
	}
	d->pid = -1;
}
