/* SPDX-License-Identifier: ISC */
#include "hostd/output.h"

#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "hostd/serve.h"

#define PIPE_BYTES (1 << 20)
#define LINE_BYTES 4096
#define REST_US 2000

static int pipe_out = -1;
static struct event *pipe_event, *rest_event;
static pthread_mutex_t drain_lock = PTHREAD_MUTEX_INITIALIZER;

static void
empty_pipe(struct serve *s)
{
	static char bytes[64 << 10];
	struct msg_output m;
	ssize_t n;

	while ((n = read(pipe_out, bytes, sizeof(bytes))) > 0) {
		m.text = (struct span){ bytes, (size_t)n };
		serve_send(s, &desc_output, &m, false);
	}
}

/*
 * Who prints into a full pipe holds the stream's lock, so it is tried for, and
 * the pipe emptied meanwhile.  An empty pipe takes the stream's buffer.
 */
void
output_drain(struct serve *s)
{
	const struct timespec moment = { .tv_nsec = 20000 };

	pthread_mutex_lock(&drain_lock);
	empty_pipe(s);
	while (ftrylockfile(stdout) != 0) {
		nanosleep(&moment, NULL);
		empty_pipe(s);
	}
	fflush(stdout);
	funlockfile(stdout);
	empty_pipe(s);
	pthread_mutex_unlock(&drain_lock);
}

/* Let it gather, as whoever waits for a command gets its output anyway. */
static void
on_output(int fd, short what, void *arg)
{
	const struct timeval rest = { .tv_usec = REST_US };

	(void)fd;
	(void)what;
	(void)arg;
	event_add(rest_event, &rest);
}

static void
on_rest(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	output_drain(arg);
	serve_flush(arg);
	event_add(pipe_event, NULL);
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
	/* Some vendors print byte by byte; without a buffer that is slow. */
	setvbuf(stdout, NULL, _IOLBF, LINE_BYTES);
	pipe_out = fd[0];
	pipe_event = event_new(s->base, pipe_out, EV_READ, on_output, s);
	rest_event = evtimer_new(s->base, on_rest, s);
	if (pipe_event == NULL || rest_event == NULL ||
	    event_add(pipe_event, NULL) != 0)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	return VGPU_OK;
}
