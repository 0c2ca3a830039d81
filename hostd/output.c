/* SPDX-License-Identifier: ISC */
#include "hostd/output.h"

#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "hostd/serve.h"

#define PIPE_BYTES (1 << 20)

static int pipe_out = -1;
static struct event *pipe_event;
static pthread_mutex_t drain_lock = PTHREAD_MUTEX_INITIALIZER;

void
output_drain(struct serve *s)
{
	static char bytes[64 << 10];
	struct msg_output m;
	ssize_t n;

	pthread_mutex_lock(&drain_lock);
	while ((n = read(pipe_out, bytes, sizeof(bytes))) > 0) {
		m.text = (struct span){ bytes, (size_t)n };
		serve_send(s, &desc_output, &m, false);
	}
	pthread_mutex_unlock(&drain_lock);
}

static void
on_output(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	output_drain(arg);
	serve_flush(arg);
}

enum vgpu_err
output_open(struct serve *s, struct err_text *text)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) != 0)
		return err_sys(text, "pipe");
	/* More room means fewer stops of a kernel that prints a lot. */
	(void)fcntl(fd[0], F_SETPIPE_SZ, PIPE_BYTES);
	if (fcntl(fd[0], F_SETFL, O_NONBLOCK) != 0 ||
	    dup2(fd[1], STDOUT_FILENO) < 0)
		return err_sys(text, "standard output");
	close(fd[1]);
	/*
	 * No buffer, so that nobody has to flush it: who prints into a full
	 * pipe holds the stream's lock, and the loop, which empties the pipe,
	 * must not wait for that.
	 */
	setvbuf(stdout, NULL, _IONBF, 0);
	pipe_out = fd[0];
	pipe_event = event_new(s->base, pipe_out, EV_READ | EV_PERSIST,
	    on_output, s);
	if (pipe_event == NULL || event_add(pipe_event, NULL) != 0)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	return VGPU_OK;
}
