/* SPDX-License-Identifier: ISC */
#include "hostd/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "hostd/title.h"

/*
 * The parent's handlers go before signals can come: one that caught a SIGTERM
 * for the child would lose it.
 */
static void
reset_signals(void)
{
	sigset_t none;
	int s;

	for (s = 1; s < NSIG; s++)
		if (s != SIGKILL && s != SIGSTOP)
			signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* After the fork: nothing that allocates or locks. */
static void __attribute__((noreturn))
child(const char *role, int fd, int setup, int log, pid_t parent)
{
	char room[TITLE_MAX], self[] = "/proc/self/exe", name[] = "vgpu-hostd";
	char *argv[] = { name, (char *)(uintptr_t)role, room, NULL };
	int null;

	memset(room, '-', sizeof(room) - 1);
	room[sizeof(room) - 1] = '\0';
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	reset_signals();

	/* out of the way first: one may lie where another is to go */
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 16);
	setup = fcntl(setup, F_DUPFD_CLOEXEC, 16);
	log = fcntl(log, F_DUPFD_CLOEXEC, 16);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(log, STDERR_FILENO) < 0 || dup2(fd, SPAWN_FD) < 0 ||
	    dup2(setup, SPAWN_FD_SETUP) < 0)
		_exit(1);
	execv(self, argv);
	_exit(127);
}

pid_t
spawn(const char *role, int fd, int setup, int *log, struct err_text *text)
{
	pid_t parent = getpid(), pid;
	sigset_t all, before;
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC) != 0) {
		err_sys(text, "cannot make a pipe");
		return -1;
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	if ((pid = fork()) == 0)
		child(role, fd, setup, pipes[1], parent);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(pipes[1]);
	if (pid < 0) {
		err_sys(text, "cannot start a process");
		close(pipes[0]);
		return -1;
	}
	setpgid(pid, pid);
	fcntl(pipes[0], F_SETFL, O_NONBLOCK);
	*log = pipes[0];
	return pid;
}

void
spawn_kill(pid_t pid, int signal)
{
	kill(-pid, signal);
}
