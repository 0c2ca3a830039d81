/* SPDX-License-Identifier: ISC */
#include "hostd/control.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

#include "hostd/dirs.h"
#include "transport/unix.h"

struct connection {
	LIST_ENTRY(connection) entry;
	struct control *control;
	struct bufferevent *io;
	bool answered;
};

struct control {
	struct event_base *base;
	struct event *event;
	char *path;
	unsigned group;
	int fd;
	control_function *fn;
	void *arg;
	LIST_HEAD(, connection) connections;
	unsigned count;
};

/* ---- connections --------------------------------------------------------- */

static void
connection_end(struct connection *c)
{
	LIST_REMOVE(c, entry);
	c->control->count--;
	bufferevent_free(c->io);
	free(c);
}

static void
answer(struct connection *c, const char *line)
{
	char *text = c->control->fn(c->control->arg, line);

	c->answered = true;
	bufferevent_disable(c->io, EV_READ);
	if (text == NULL || bufferevent_write(c->io, text, strlen(text)) !=
	    0 || bufferevent_write(c->io, "\n", 1) != 0)
		connection_end(c);
	free(text);
}

static void
on_read(struct bufferevent *io, void *arg)
{
	struct connection *c = arg;
	struct evbuffer *in = bufferevent_get_input(io);
	size_t n;
	char *line = evbuffer_readln(in, &n, EVBUFFER_EOL_LF);

	if (line == NULL) {
		if (evbuffer_get_length(in) > CONTROL_LINE_MAX)
			connection_end(c);
		return;
	}
	if (n > CONTROL_LINE_MAX || strlen(line) != n)
		connection_end(c);
	else
		answer(c, line);
	free(line);
}

static void
on_written(struct bufferevent *io, void *arg)
{
	struct connection *c = arg;

	(void)io;
	if (c->answered)
		connection_end(c);
}

static void
on_event(struct bufferevent *io, short what, void *arg)
{
	(void)io;
	(void)what;
	connection_end(arg);
}

static void
begin(struct control *k, int fd)
{
	const struct timeval limit = { CONTROL_TIMEOUT_S, 0 };
	struct connection *c = calloc(1, sizeof(*c));

	if (c == NULL || (c->io = bufferevent_socket_new(k->base, fd,
	    BEV_OPT_CLOSE_ON_FREE)) == NULL) {
		free(c);
		close(fd);
		return;
	}
	c->control = k;
	LIST_INSERT_HEAD(&k->connections, c, entry);
	k->count++;
	bufferevent_setcb(c->io, on_read, on_written, on_event, c);
	bufferevent_setwatermark(c->io, EV_READ, 0, CONTROL_LINE_MAX + 1);
	bufferevent_set_timeouts(c->io, &limit, &limit);
	bufferevent_enable(c->io, EV_READ | EV_WRITE);
}

static void
on_connection(int fd, short what, void *arg)
{
	struct control *k = arg;
	int new;

	(void)what;
	if (unix_accept(fd, &new, NULL) != VGPU_OK)
		return;
	if (k->count < CONTROL_CONNECTIONS_MAX)
		begin(k, new);
	else
		close(new);
}

/* ---- the socket ------------------------------------------------------------ */

static enum vgpu_err
make_socket(struct control *k, struct err_text *text)
{
	const bool grouped = k->group != UINT_MAX;
	struct err_text why;

	dirs_of_socket(k->path);
	if (unix_listen(k->path, grouped ? 0660 : 0600, (gid_t)k->group,
	    &k->fd, &why) == VGPU_OK)
		return VGPU_OK;
	if (errno == EADDRINUSE)
		return err_set(text, VGPU_ECONF, "control: %s is taken: another"
		    " daemon listens there, or it is no socket", k->path);
	return err_set(text, VGPU_ECONF, "control: cannot listen: %s", why.s);
}

enum vgpu_err
control_open(struct control **out, struct event_base *base, const char *path,
    unsigned group, control_function *fn, void *arg, struct err_text *text)
{
	struct control *k = calloc(1, sizeof(*k));
	enum vgpu_err rc;

	if (k == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	k->base = base;
	k->group = group;
	k->fn = fn;
	k->arg = arg;
	k->fd = -1;
	LIST_INIT(&k->connections);
	if ((k->path = strdup(path)) == NULL)
		rc = err_set(text, VGPU_ENOMEM, "out of memory");
	else if ((rc = make_socket(k, text)) == VGPU_OK) {
		k->event = event_new(base, k->fd, EV_READ | EV_PERSIST,
		    on_connection, k);
		if (k->event != NULL && event_add(k->event, NULL) == 0) {
			*out = k;
			return VGPU_OK;
		}
		rc = err_set(text, VGPU_ENOMEM, "out of memory");
		unlink(path);
	}
	if (k->event != NULL)
		event_free(k->event);
	if (k->fd >= 0)
		close(k->fd);
	free(k->path);
	free(k);
	return rc;
}

bool
control_is(const struct control *k, const char *path, unsigned group)
{
	return strcmp(k->path, path) == 0 && k->group == group;
}

void
control_close(struct control *k)
{
	if (k == NULL)
		return;
	while (!LIST_EMPTY(&k->connections))
		connection_end(LIST_FIRST(&k->connections));
	event_free(k->event);
	close(k->fd);
	unlink(k->path);
	free(k->path);
	free(k);
}
