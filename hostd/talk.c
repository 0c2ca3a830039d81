/* SPDX-License-Identifier: ISC */
#include "hostd/talk.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/spawn.h"

#define ASIDE_MAX 16

static int aside[ASIDE_MAX];
static unsigned aside_count;
static void (*wake_up)(void);
static void (*take_note)(const struct channel_msg *);

void
talk_fatal(const char *format, ...)
{
	char text[ERR_TEXT_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	log_error("%s", text);
	_exit(1);
}

void
talk_tell(enum channel_type type, const void *p, size_t n, int fd)
{
	struct err_text text;

	if (channel_send(SPAWN_FD, type, p, n, fd, &text) != VGPU_OK)
		talk_fatal("%s", text.s);
}

enum vgpu_err
talk_hear(struct channel_msg *m)
{
	struct err_text text;
	enum vgpu_err rc;

	rc = channel_recv(SPAWN_FD, true, m, &text);
	if (rc == VGPU_ECLOSED)
		_exit(0);
	if (rc != VGPU_OK && rc != VGPU_EAGAIN)
		talk_fatal("%s", text.s);
	return rc;
}

static void
put_aside(int fd)
{
	if (aside_count == ASIDE_MAX) {
		close(fd);
		talk_tell(CHANNEL_LANE_DONE, NULL, 0, -1);
		return;
	}
	aside[aside_count++] = fd;
	if (wake_up != NULL)
		wake_up();
}

int
talk_aside(void)
{
	return aside_count == 0 ? -1 : aside[--aside_count];
}

void
talk_set_wake(void (*wake)(void))
{
	wake_up = wake;
}

void
talk_set_note(void (*note)(const struct channel_msg *))
{
	take_note = note;
}

bool
talk_note(const struct channel_msg *m)
{
	if (take_note == NULL || (m->type != CHANNEL_SHUT &&
	    m->type != CHANNEL_MOVE))
		return false;
	take_note(m);
	return true;
}

void
talk_await(struct channel_msg *m, uint32_t one, uint32_t other,
    int64_t deadline)
{
	struct pollfd p = { SPAWN_FD, POLLIN, 0 };
	int n;

	for (;;) {
		if (talk_hear(m) == VGPU_OK) {
			if (m->type == one || m->type == other)
				return;
			if (talk_note(m))
				continue;
			if (m->type != CHANNEL_LANE)
				talk_fatal("unexpected message %s",
				    channel_name(m->type));
			put_aside(m->fd);
			continue;
		}
		n = poll(&p, 1, clock_poll_ms(deadline));
		if (n == 0 && deadline != CLOCK_NEVER)
			talk_fatal("the parent does not answer");
		if (n < 0 && errno != EINTR)
			talk_fatal("poll: %s", strerror(errno));
	}
}

enum vgpu_err
talk_sign(void *unused, const struct sign_request *request,
    struct sign_reply *reply)
{
	static struct channel_msg m;

	(void)unused;
	talk_tell(CHANNEL_SIGN, request, sizeof(*request), -1);
	talk_await(&m, CHANNEL_SIGNATURE, CHANNEL_SIGNATURE,
	    clock_after_ms(TALK_PARENT_MS));
	memcpy(reply, m.bytes, sizeof(*reply));
	return VGPU_OK;
}
