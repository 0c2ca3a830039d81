/* SPDX-License-Identifier: ISC */
#include "hostd/listen.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "transport/tcp.h"

#define ACCEPT_MAX 64	/* at one go */
#define PAUSE_MS 100	/* when the process or system has no descriptors */

struct listener {
	struct listeners *all;
	char *text;		/* as in the configuration */
	int fd;
	struct event *event;
	struct event *pause;
};

struct listeners {
	struct listener *v;
	unsigned n;
	listen_function *fn;
	void *arg;
};

static int
share(const struct listeners *old, const char *text)
{
	unsigned i;

	for (i = 0; old != NULL && i < old->n; i++)
		if (strcmp(old->v[i].text, text) == 0)
			return fcntl(old->v[i].fd, F_DUPFD_CLOEXEC, 3);
	return -1;
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
open_one(struct listener *l, const char *text, const struct listeners *old,
    struct err_text *err)
{
	struct err_text why;
	struct url url;
	enum vgpu_err rc;

	l->fd = -1;
	if ((l->text = strdup(text)) == NULL)
		return err_set(err, VGPU_ENOMEM, "out of memory");
	if ((l->fd = share(old, text)) >= 0)
		return VGPU_OK;
	if ((rc = conf_listen_url(text, &url, err)) != VGPU_OK)
		return rc;
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
		rc = open_one(&ls->v[ls->n], c->listen.v[ls->n], old, err);
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
		rc = tcp_accept(fd, &one, &text);
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
	return ls->n == 0 ? 0 : tcp_port(ls->v[0].fd);
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
