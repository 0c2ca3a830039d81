/* SPDX-License-Identifier: ISC */
#include "hostd/listen.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/dirs.h"
#include "transport/tcp.h"
#include "transport/unix.h"

#define ACCEPT_MAX 64	/* at one go */
#define PAUSE_MS 100	/* when the process or system has no descriptors */

/* The file of a Unix socket, shared by those that listen on it. */
struct socket_file {
	unsigned users;
	dev_t dev;
	ino_t ino;
	char path[];
};

struct listener {
	struct listeners *all;
	char *text;		/* as in the configuration */
	int fd;
	struct socket_file *file; /* NULL: TCP */
	struct event *event;
	struct event *pause;
};

struct listeners {
	struct listener *v;
	unsigned n;
	listen_function *fn;
	void *arg;
};

/* --- the files of Unix sockets ------------------------------------------- */

static struct socket_file *
file_new(const char *path)
{
	size_t n = strlen(path) + 1;
	struct socket_file *f = calloc(1, sizeof(*f) + n);
	struct stat st;

	if (f == NULL)
		return NULL;
	f->users = 1;
	memcpy(f->path, path, n);
	if (lstat(path, &st) == 0) {
		f->dev = st.st_dev;
		f->ino = st.st_ino;
	}
	return f;
}

/* Another daemon may have replaced the file meanwhile: that one stays. */
static void
file_unref(struct socket_file *f)
{
	struct stat st;

	if (f == NULL || --f->users > 0)
		return;
	if (lstat(f->path, &st) == 0 && st.st_dev == f->dev &&
	    st.st_ino == f->ino)
		unlink(f->path);
	free(f);
}

/* --- opening -------------------------------------------------------------- */

static bool
share(struct listener *l, const struct listeners *old)
{
	unsigned i;

	for (i = 0; old != NULL && i < old->n; i++) {
		if (strcmp(old->v[i].text, l->text) != 0)
			continue;
		l->fd = fcntl(old->v[i].fd, F_DUPFD_CLOEXEC, 3);
		if (l->fd >= 0 && old->v[i].file != NULL) {
			l->file = old->v[i].file;
			l->file->users++;
		}
	}
	return l->fd >= 0;
}

static enum vgpu_err
explain(const char *text, const struct url *url, const char *why,
    struct err_text *err)
{
	const char *advice = "";

	if (errno == EADDRINUSE)
		advice = "; stop what listens there, or choose another port "
		    "(0: any) with listen";
	else if (errno == EACCES)
		advice = "; ports below 1024 are for root";
	else if (errno == EADDRNOTAVAIL)
		advice = "; this machine has no such address";
	return err_set(err, VGPU_ECONF, "cannot listen on %s (port %u): %s%s",
	    text, url->port, why, advice);
}

static enum vgpu_err
explain_unix(const char *text, const char *why, struct err_text *err)
{
	const char *advice = "";

	if (errno == EADDRINUSE)
		advice = "; another daemon listens there, or it is no socket: "
		    "choose another path with listen";
	else if (errno == ENOENT)
		advice = "; make its folder first";
	else if (errno == EACCES)
		advice = "; this user may not write to its folder";
	else if (errno == EPERM)
		advice = "; this user may not give it to socket-group";
	return err_set(err, VGPU_ECONF, "cannot listen on %s: %s%s", text,
	    why, advice);
}

static enum vgpu_err
open_unix(struct listener *l, const struct conf *c, const struct url *url,
    struct err_text *err)
{
	struct err_text why;

	dirs_of_socket(url->path);
	errno = 0;
	if (unix_listen(url->path, (mode_t)c->socket_mode,
	    (gid_t)c->socket_group, &l->fd, &why) != VGPU_OK)
		return explain_unix(l->text, why.s, err);
	if ((l->file = file_new(url->path)) == NULL) {
		unlink(url->path);
		return err_set(err, VGPU_ENOMEM, "out of memory");
	}
	return VGPU_OK;
}

static enum vgpu_err
open_one(struct listener *l, const char *text, const struct conf *c,
    const struct listeners *old, struct err_text *err)
{
	struct err_text why;
	struct url url;
	enum vgpu_err rc;

	l->fd = -1;
	if ((l->text = strdup(text)) == NULL)
		return err_set(err, VGPU_ENOMEM, "out of memory");
	if (share(l, old))
		return VGPU_OK;
	if ((rc = conf_listen_url(text, &url, err)) != VGPU_OK)
		return rc;
	if (url.kind == URL_UNIX)
		return open_unix(l, c, &url, err);
	errno = 0;
	if (tcp_listen(url.host, url.port, &l->fd, &why) != VGPU_OK) {
		l->fd = -1;
		return explain(text, &url, why.s, err);
	}
	return VGPU_OK;
}

enum vgpu_err
listen_open(struct listeners **out, const struct conf *c,
    const struct listeners *old, struct err_text *err)
{
	struct listeners *ls = calloc(1, sizeof(*ls));
	enum vgpu_err rc = VGPU_OK;

	if (ls == NULL || (ls->v = calloc(c->listen.n, sizeof(*ls->v))) ==
	    NULL) {
		free(ls);
		return err_set(err, VGPU_ENOMEM, "out of memory");
	}
	while (rc == VGPU_OK && ls->n < c->listen.n) {
		ls->v[ls->n].all = ls;
		rc = open_one(&ls->v[ls->n], c->listen.v[ls->n], c, old, err);
		ls->n++;
	}
	if (rc == VGPU_OK)
		*out = ls;
	else
		listen_close(ls);
	return rc;
}

void
listen_close(struct listeners *ls)
{
	unsigned i;

	if (ls == NULL)
		return;
	for (i = 0; i < ls->n; i++) {
		if (ls->v[i].event != NULL)
			event_free(ls->v[i].event);
		if (ls->v[i].pause != NULL)
			event_free(ls->v[i].pause);
		if (ls->v[i].fd >= 0)
			close(ls->v[i].fd);
		file_unref(ls->v[i].file);
		free(ls->v[i].text);
	}
	free(ls->v);
	free(ls);
}

static void
on_connection(int fd, short what, void *arg)
{
	const struct timeval pause = { 0, PAUSE_MS * 1000 };
	struct listener *l = arg;
	struct err_text text;
	enum vgpu_err rc;
	int i, one;

	(void)what;
	for (i = 0; i < ACCEPT_MAX; i++) {
		rc = l->file != NULL ? unix_accept(fd, &one, &text) :
		    tcp_accept(fd, &one, &text);
		if (rc == VGPU_EAGAIN)
			return;
		if (rc != VGPU_OK) {
			/* the connection stays where it is: try later */
			log_warn("accept: %s", text.s);
			event_del(l->event);
			event_add(l->pause, &pause);
			return;
		}
		l->all->fn(l->all->arg, one);
	}
}

static void
on_pause(int fd, short what, void *arg)
{
	struct listener *l = arg;

	(void)fd;
	(void)what;
	event_add(l->event, NULL);
}

enum vgpu_err
listen_accept(struct listeners *ls, struct event_base *base,
    listen_function *fn, void *arg, struct err_text *err)
{
	struct listener *l;
	unsigned i;

	ls->fn = fn;
	ls->arg = arg;
	for (i = 0; i < ls->n; i++) {
		l = &ls->v[i];
		l->event = event_new(base, l->fd, EV_READ | EV_PERSIST,
		    on_connection, l);
		l->pause = evtimer_new(base, on_pause, l);
		if (l->event == NULL || l->pause == NULL ||
		    event_add(l->event, NULL) != 0)
			return err_set(err, VGPU_ENOMEM, "out of memory");
	}
	return VGPU_OK;
}

unsigned
listen_port(const struct listeners *ls)
{
	unsigned i, port = 0;

	for (i = 0; i < ls->n && port == 0; i++)
		port = tcp_port(ls->v[i].fd);
	return port;
}

enum vgpu_err
listen_write_port(const char *file, unsigned port, struct err_text *err)
{
	char tmp[PATH_MAX];
	FILE *f;

	snprintf(tmp, sizeof(tmp), "%s.%d", file, (int)getpid());
	if ((f = fopen(tmp, "we")) == NULL)
		return err_sys(err, "cannot write %s", tmp);
	fprintf(f, "%u\n", port);
	if (fclose(f) == 0 && rename(tmp, file) == 0)
		return VGPU_OK;
	err_sys(err, "cannot write %s", file);
	unlink(tmp);
	return VGPU_ESYS;
}
