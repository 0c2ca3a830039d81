/* SPDX-License-Identifier: ISC */
#include "run/command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
	SIGUSR2 };
static sigset_t blocked, before;
static int interrupted_by;

void
command_block_signals(void)
{
	size_t i;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	for (i = 0; i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
		sigaddset(&blocked, passed_on[i]);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	/* inherited as ignored, it would hide how children end */
	signal(SIGCHLD, SIG_DFL);
}

bool
command_interrupted(void)
{
	const struct timespec now = { 0, 0 };
	sigset_t ending = blocked;
	int sig;

	sigdelset(&ending, SIGCHLD);
	if (interrupted_by == 0 && (sig = sigtimedwait(&ending, NULL,
	    &now)) > 0)
		interrupted_by = sig;
	return interrupted_by != 0;
}

int
command_signal(void)
{
	return interrupted_by;
}

static void __attribute__((noreturn))
child(char **argv)
{
	int error;

	sigprocmask(SIG_SETMASK, &before, NULL);
	execvp(argv[0], argv);
	error = errno;
	fprintf(stderr, "vgpu-run: cannot run %s: %s\n", argv[0],
	    strerror(error));
	_exit(error == ENOENT ? 127 : 126);
}

/* True when the command has ended, its status then in *status. */
static bool
collect(pid_t command, pid_t *daemon, int *status)
{
	bool ended = false;
	pid_t pid;
	int how;

	while ((pid = waitpid(-1, &how, WNOHANG)) > 0) {
		if (pid == command) {
			*status = how;
			ended = true;
		} else if (pid == *daemon) {
			*daemon = -1;
			fprintf(stderr, "vgpu-run: the daemon has ended before "
			    "the command (%s %d)\n", WIFSIGNALED(how) ?
			    "signal" : "exit status", WIFSIGNALED(how) ?
			    WTERMSIG(how) : WEXITSTATUS(how));
		}
	}
	return ended;
}

int
command_run(char **argv, pid_t *daemon)
{
	siginfo_t info;
	pid_t pid;
	int status = 0, sig;

	fflush(NULL);
	if ((pid = fork()) == 0)
		child(argv);
	if (pid < 0) {
		fprintf(stderr, "vgpu-run: cannot start a process: %s\n",
		    strerror(errno));
		return 126;
	}
	while (!collect(pid, daemon, &status)) {
		sig = sigwaitinfo(&blocked, &info);
		/* one from the terminal went to the command as well */
		if (sig > 0 && sig != SIGCHLD && info.si_code != SI_KERNEL)
			kill(pid, sig);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	    WEXITSTATUS(status);
}
