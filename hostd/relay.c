/* SPDX-License-Identifier: ISC */
#include "hostd/relay.h"

#include <errno.h>
#include <event2/event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"

#define LINE_ROOM 800
#define READ_ROOM 4096
#define READS_MAX 16		/* at one go, so that others get their turn */
#define PERIOD_MS 10000
#define LINES_MAX 1000		/* in each period */

struct relay {
	struct event *event;
	int fd;
	char name[RELAY_NAME_MAX];
	char line[LINE_ROOM];
	size_t len;
	int64_t period;		/* when this one began */
	unsigned lines;		/* in this period */
};

/* False: this line is one too many. */
static bool
count_line(struct relay *r)
{
	int64_t now = clock_ms();

	if (now - r->period >= PERIOD_MS) {
		if (r->lines > LINES_MAX)
			log_warn("%s: %u lines left out", r->name,
			    r->lines - LINES_MAX);
		r->period = now;
		r->lines = 0;
	}
	return ++r->lines <= LINES_MAX;
}

/*
 * Our own lines have passed the child's log level already; others are a
 * vendor's, and only for those who want to know.
 */
static void
end_line(struct relay *r)
{
	static const char own[] = "vgpu-hostd: ";
	const size_t skip = sizeof(own) - 1;
	char text[4 * LINE_ROOM + 1];
	bool is_own = r->len > skip && memcmp(r->line, own, skip) == 0;

	if (r->len > 0 && count_line(r)) {
		log_escape(text, sizeof(text), r->line + (is_own ? skip : 0),
		    r->len - (is_own ? skip : 0));
		if (is_own)
			log_error("%s: %s", r->name, text);
		else
			log_info("%s: %s", r->name, text);
	}
	r->len = 0;
}

static void
take(struct relay *r, const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i] == '\n')
			end_line(r);
		else if (r->len < LINE_ROOM)
			r->line[r->len++] = p[i];
	}
}

/* False: nothing more will come. */
static bool
drain(struct relay *r)
{
	char bytes[READ_ROOM];
	ssize_t got;
	int i;

	for (i = 0; i < READS_MAX; i++) {
		got = read(r->fd, bytes, sizeof(bytes));
		if (got > 0)
			take(r, bytes, (size_t)got);
		else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			return false;
		else
			break;
	}
	return true;
}

static void
on_readable(int fd, short what, void *arg)
{
	struct relay *r = arg;

	(void)fd;
	(void)what;
	if (!drain(r))
		event_del(r->event);
}

struct relay *
relay_new(struct event_base *base, int fd, const char *name)
{
	struct relay *r = calloc(1, sizeof(*r));

	if (r != NULL)
		r->event = event_new(base, fd, EV_READ | EV_PERSIST,
		    on_readable, r);
	if (r == NULL || r->event == NULL) {
		close(fd);
		free(r);
		return NULL;
	}
	r->fd = fd;
	r->period = clock_ms();
	relay_set_name(r, name);
	event_add(r->event, NULL);
	return r;
}

void
relay_set_name(struct relay *r, const char *name)
{
	snprintf(r->name, sizeof(r->name), "%s", name);
}

void
relay_free(struct relay *r)
{
	if (r == NULL)
		return;
	drain(r);
	end_line(r);
	if (r->lines > LINES_MAX)
		log_warn("%s: %u lines left out", r->name,
		    r->lines - LINES_MAX);
	event_free(r->event);
	close(r->fd);
	free(r);
}
