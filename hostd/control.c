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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/log.h"

struct connection {
	LIST_ENTRY(connection) entry;
	struct control *control;
	struct bufferevent *io;
	bool answered;
};

struct control {
	struct event_base *base;
	struct event *event;
	struct sockaddr_un address;
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
	new = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (new < 0)
		return;
	if (k->count < CONTROL_CONNECTIONS_MAX)
		begin(k, new);
	else
		close(new);
}

/* ---- the socket ------------------------------------------------------------ */

/* Does a daemon answer there?  Else its socket is only left over. */
static bool
is_alive(const struct sockaddr_un *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0);
	bool alive;

	if (fd < 0)
		return false;
	alive = connect(fd, (const struct sockaddr *)a, sizeof(*a)) == 0 ||
	    errno == EAGAIN;
	close(fd);
	return alive;
}

static enum vgpu_err
make_socket(struct control *k, struct err_text *text)
{
	const char *path = k->address.sun_path;
	struct stat st;
	mode_t before;
	int rc;

	if (is_alive(&k->address))
		return err_set(text, VGPU_ECONF, "control: another daemon "
		    "listens at %s", path);
	if (lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
		unlink(path);
	k->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0);
	if (k->fd < 0)
		return err_sys(text, "control");
	before = umask(0177);
	rc = bind(k->fd, (const struct sockaddr *)&k->address,
	    sizeof(k->address));
	umask(before);
	if (rc != 0) {
		err_sys(text, "control: cannot listen at %s", path);
		return VGPU_ECONF;
	}
	if (k->group != UINT_MAX && (chown(path, (uid_t)-1, k->group) != 0 ||
	    chmod(path, 0660) != 0)) {
		err_sys(text, "control: cannot give %s to its group", path);
		return VGPU_ECONF;
	}
	if (listen(k->fd, CONTROL_CONNECTIONS_MAX) != 0)
		return err_sys(text, "control: cannot listen at %s", path);
	return VGPU_OK;
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
	k->address.sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(k->address.sun_path)) {
		free(k);
		return err_set(text, VGPU_ECONF, "control: %s is too long for "
		    "a socket", path);
	}
	strcpy(k->address.sun_path, path);
	if ((rc = make_socket(k, text)) == VGPU_OK) {
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
	free(k);
	return rc;
}

bool
control_is(const struct control *k, const char *path, unsigned group)
{
	return strcmp(k->address.sun_path, path) == 0 && k->group == group;
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
	unlink(k->address.sun_path);
	free(k);
}
