/* SPDX-License-Identifier: ISC */
#include "hostd/parent_private.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/control.h"
#include "hostd/dirs.h"
#include "hostd/listen.h"
#include "hostd/reap.h"
#include "hostd/survey.h"
#include "hostd/tell.h"

#define FILES 8192

/* Messages of a configuration, each a line of the log. */
static void
log_messages(struct buf *messages)
{
	char *line, *end;

	buf_append(messages, "", 1);
	if (messages->failed)
		return;
	line = (char *)buf_front(messages);
	while ((end = strchr(line, '\n')) != NULL) {
		*end = '\0';
		log_error("%s", line);
		line = end + 1;
	}
}

static enum vgpu_err
fail(const struct err_text *text)
{
	log_error("%s", text->s);
	return VGPU_ECONF;
}

/* --- regimes ------------------------------------------------------------- */

static void
retire(struct parent *p, struct regime *r)
{
	if (r == NULL)
		return;
	listen_close(r->listeners);
	r->listeners = NULL;
	LIST_INSERT_HEAD(&p->old, r, entry);
}

void
parent_free_unused(struct parent *p)
{
	struct regime *r, *next;

	for (r = LIST_FIRST(&p->old); r != NULL; r = next) {
		next = LIST_NEXT(r, entry);
		if (r->heirs > 0 || warm_needs(p->warm, r))
			continue;
		LIST_REMOVE(r, entry);
		regime_free(r);
	}
}

void
parent_switch(struct parent *p, struct regime *r)
{
	struct regime *before = p->now;

	p->now = r;
	warm_use(p->warm, r);
	parent_tell_shut(p, NULL);
	if (before != NULL)
		parent_clear_departed(p, before->pool);
	retire(p, before);
	parent_free_unused(p);
	parent_arm_rescan(p);
	parent_arm_balance(p);
	parent_looked(p, true);
}

static void
on_connection(void *arg, int fd)
{
	struct parent *p = arg;

	warm_connection(p->warm, fd);
}

static enum vgpu_err
announce(const struct regime *r, struct err_text *text)
{
	unsigned port = listen_port(r->listeners);
	struct err_text why;
	enum vgpu_err rc;

	if (r->conf->port_file != NULL && (rc = listen_write_port(
	    r->conf->port_file, port, &why)) != VGPU_OK)
		return err_set(text, rc, "port-file: %s", why.s);
	if (port != 0)
		log_info("ready port %u devices %u", port,
		    r->pool->device_count);
	else
		log_info("ready %s devices %u", r->conf->listen.v[0],
		    r->pool->device_count);
	return VGPU_OK;
}

/* Whoever reads it would take it for that of a daemon that is there. */
static void
forget_port(const struct regime *before, const struct regime *now)
{
	const char *file = before == NULL ? NULL : before->conf->port_file;

	if (file != NULL && (now == NULL || now->conf->port_file == NULL ||
	    strcmp(file, now->conf->port_file) != 0))
		unlink(file);
}

static void
set_log(const struct parent *p, const struct conf *c)
{
	log_open("vgpu-hostd", STDERR_FILENO, p->options->debug ?
	    LOG_LEVEL_DEBUG : c->log_level);
}

/* Without a socket for vgpuctl everything else works as ever. */
static void
open_control(struct parent *p, const struct conf *c)
{
	struct err_text text;

	if (p->control != NULL && control_is(p->control, c->control,
	    c->control_group))
		return;
	control_close(p->control);
	p->control = NULL;
	if (control_open(&p->control, p->base, c->control, c->control_group,
	    tell, p, &text) != VGPU_OK) {
		p->control = NULL;
		log_info("%s; vgpuctl has nobody to ask", text.s);
	}
}

/* The devices are known: the new configuration takes over. */
static void
take_over(struct parent *p, struct regime *r, struct pool *pool)
{
	struct regime *before = p->now;
	struct err_text text;

	if (parent_take_pool(p, r, pool, &text) != VGPU_OK ||
	    listen_accept(r->listeners, p->base, on_connection, p, &text) !=
	    VGPU_OK || announce(r, &text) != VGPU_OK) {
		fail(&text);
		regime_free(r);
		if (before != NULL) {
			parent_arm_rescan(p);
			parent_looked(p, true);
			return;
		}
		p->failed = true;
		event_base_loopbreak(p->base);
		return;
	}
	forget_port(before, r);
	set_log(p, r->conf);
	open_control(p, r->conf);
	parent_switch(p, r);
}

static void
on_survey(void *arg, struct pool *pool)
{
	struct parent *p = arg;
	struct regime *r = p->next;
	const bool again = p->reload_again;

	p->survey = NULL;
	p->next = NULL;
	p->reload_again = false;
	take_over(p, r, pool);
	if (again && !p->failed)
		parent_reload(p);
}

/* --- configuration ------------------------------------------------------- */

/*
 * Everything but the devices; r becomes p->next, or is freed.  This is a rescan,
 * too, so that one that is in progress ends.
 */
static enum vgpu_err
begin(struct parent *p, struct regime *r)
{
	struct err_text text;
	const struct conf *c = r->conf;

	if (p->options->debug)
		r->conf->log_level = LOG_LEVEL_DEBUG;
	if (listen_open(&r->listeners, c, p->now == NULL ? NULL :
	    p->now->listeners, &text) != VGPU_OK ||
	    dirs_make(c->state_dir, &r->user, &text) != VGPU_OK)
		goto failed;
	survey_cancel(p->survey);
	dirs_probe(c->state_dir, p->probe_dir, sizeof(p->probe_dir));
	if (survey_start(&p->survey, p->base, c, &r->user, p->probe_dir,
	    on_survey, p, &text) != VGPU_OK) {
		p->survey = NULL;
		goto failed;
	}
	p->next = r;
	return VGPU_OK;
failed:
	fail(&text);
	regime_free(r);
	return VGPU_ECONF;
}

static enum vgpu_err
configure(struct parent *p)
{
	struct regime *r;
	struct buf messages;
	enum vgpu_err rc;

	buf_init(&messages);
	rc = regime_new(&r, &p->options->source, &messages);
	log_messages(&messages);
	buf_fini(&messages);
	return rc == VGPU_OK ? begin(p, r) : rc;
}

enum parent_begun
parent_reload(struct parent *p)
{
	if (p->next != NULL) {
		log_info("reload: begins when the one in progress has ended");
		p->reload_again = true;
		return PARENT_BUSY;
	}
	if (configure(p) != VGPU_OK) {
		log_error("reload: refused, everything stays as it was");
		if (p->survey == NULL) {
			parent_arm_rescan(p);
			parent_looked(p, true);
		}
		return PARENT_REFUSED;
	}
	log_info("reload: configuration is good, asking vendors");
	return PARENT_BEGUN;
}

/* --- life ---------------------------------------------------------------- */

static void
stop(struct parent *p)
{
	log_info("ending");
	evtimer_del(p->rescan);
	evtimer_del(p->balance);
	evtimer_del(p->alarm);
	control_close(p->control);
	p->control = NULL;
	survey_cancel(p->survey);
	p->survey = NULL;
	regime_free(p->next);
	p->next = NULL;
	if (p->now != NULL) {
		forget_port(p->now, NULL);
		listen_close(p->now->listeners);
		p->now->listeners = NULL;
	}
	warm_stop(p->warm);
}

static void
on_signal(int sig, short what, void *arg)
{
	(void)what;
	if (sig == SIGHUP)
		parent_reload(arg);
	else
		stop(arg);
}

/*
 * Each session costs the parent two descriptors, each silent connection one.
 */
static void
allow_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= FILES)
		return;
	r.rlim_cur = r.rlim_max < FILES ? r.rlim_max : FILES;
	setrlimit(RLIMIT_NOFILE, &r);
}

static enum vgpu_err
start(struct parent *p)
{
	static const int which[PARENT_SIGNALS] = { SIGTERM, SIGINT, SIGHUP };
	struct err_text text = { "out of memory" };
	unsigned i;

	signal(SIGPIPE, SIG_IGN);
	allow_files();
	LIST_INIT(&p->old);
	p->started = clock_ms();
	if ((p->base = event_base_new()) == NULL ||
	    (p->ledger = ledger_new()) == NULL ||
	    (p->roster = roster_new()) == NULL ||
	    (p->history = history_new()) == NULL ||
	    (p->rescan = evtimer_new(p->base, parent_on_rescan, p)) ==
	    NULL || (p->balance = evtimer_new(p->base, parent_on_balance,
	    p)) == NULL || (p->alarm = evtimer_new(p->base, parent_on_alarm,
	    p)) == NULL || (p->builders = builders_new(p->base)) == NULL ||
	    (p->warm = warm_new(p->base, &parent_hooks, p)) == NULL ||
	    reap_start(p->base, &text) != VGPU_OK)
		return fail(&text);
	for (i = 0; i < PARENT_SIGNALS; i++) {
		p->signals[i] = evsignal_new(p->base, which[i], on_signal, p);
		if (p->signals[i] == NULL ||
		    event_add(p->signals[i], NULL) != 0)
			return fail(&text);
	}
	return configure(p);
}

static void
finish(struct parent *p)
{
	unsigned i;

	control_close(p->control);
	survey_cancel(p->survey);
	warm_free(p->warm);
	builders_free(p->builders);
	regime_free(p->next);
	regime_free(p->now);
	while (!LIST_EMPTY(&p->old)) {
		p->now = LIST_FIRST(&p->old);
		LIST_REMOVE(p->now, entry);
		regime_free(p->now);
	}
	ledger_free(p->ledger);
	roster_free(p->roster);
	history_free(p->history);
	reap_stop();
	for (i = 0; i < PARENT_SIGNALS; i++)
		if (p->signals[i] != NULL)
			event_free(p->signals[i]);
	if (p->rescan != NULL)
		event_free(p->rescan);
	if (p->balance != NULL)
		event_free(p->balance);
	if (p->alarm != NULL)
		event_free(p->alarm);
	if (p->base != NULL)
		event_base_free(p->base);
}

int
parent_main(const struct parent_options *options)
{
	struct parent p = { .options = options };

	log_open("vgpu-hostd", STDERR_FILENO, options->debug ?
	    LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
	if (start(&p) == VGPU_OK)
		event_base_dispatch(p.base);
	else
		p.failed = true;
	finish(&p);
	return p.failed ? 1 : 0;
}

int
parent_check(const struct conf_source *source)
{
	struct regime *r;
	struct buf messages;
	enum vgpu_err rc;

	buf_init(&messages);
	rc = regime_new(&r, source, &messages);
	if (rc == VGPU_OK) {
		printf("configuration OK\n");
		regime_free(r);
	} else
		fwrite(buf_front(&messages), 1, buf_len(&messages), stderr);
	buf_fini(&messages);
	return rc == VGPU_OK ? 0 : 1;
}
