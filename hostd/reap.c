/* SPDX-License-Identifier: ISC */
#include "hostd/reap.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/wait.h>

struct watch {
	LIST_ENTRY(watch) entry;
	pid_t pid;
	reap_function *fn;
	void *arg;
};

static LIST_HEAD(, watch) watches = LIST_HEAD_INITIALIZER(watches);
static struct event *event;

static struct watch *
take(pid_t pid)
{
	struct watch *w;

	LIST_FOREACH(w, &watches, entry)
		if (w->pid == pid) {
			LIST_REMOVE(w, entry);
			return w;
		}
	return NULL;
}

static void
on_child(int fd, short what, void *arg)
{
	struct watch *w;
	pid_t pid;
	int status;

	(void)fd;
	(void)what;
	(void)arg;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if ((w = take(pid)) == NULL)
			continue;
		w->fn(w->arg, status);
		free(w);
	}
}

enum vgpu_err
reap_start(struct event_base *base, struct err_text *text)
{
	event = evsignal_new(base, SIGCHLD, on_child, NULL);
	if (event == NULL || event_add(event, NULL) != 0)
		return err_set(text, VGPU_ENOMEM, "cannot watch children");
	return VGPU_OK;
}

void
reap_stop(void)
{
	struct watch *w;

	while ((w = LIST_FIRST(&watches)) != NULL) {
		LIST_REMOVE(w, entry);
		free(w);
	}
	if (event != NULL)
		event_free(event);
	event = NULL;
}

enum vgpu_err
reap_watch(pid_t pid, reap_function *fn, void *arg)
{
	struct watch *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return VGPU_ENOMEM;
	w->pid = pid;
	w->fn = fn;
	w->arg = arg;
	LIST_INSERT_HEAD(&watches, w, entry);
	return VGPU_OK;
}

void
reap_forget(pid_t pid)
{
	free(take(pid));
}

const char *
reap_text(int status, char *out, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(out, size, "killed by signal %d (%s)",
		    WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "exit status %d", WEXITSTATUS(status));
	return out;
}
