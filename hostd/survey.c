/* SPDX-License-Identifier: ISC */
#include "hostd/survey.h"

#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/memfd.h"
#include "hostd/probe.h"
#include "hostd/reap.h"
#include "hostd/relay.h"
#include "hostd/setup.h"
#include "hostd/spawn.h"
#include "hostd/vendor.h"

struct one {
	struct survey *survey;
	char *icd;
	pid_t pid;		/* 0: not running */
	int result;
	struct relay *relay;
	struct pool *found;	/* of this one vendor */
	char reason[ERR_TEXT_MAX]; /* why it is NULL */
	bool late;
};

struct survey {
	struct event_base *base;
	const struct conf *conf;
	const struct privsep_user *user;
	const char *dir;
	survey_function *fn;
	void *arg;
	struct event *timer;
	struct one all[POOL_VENDORS_MAX];
	unsigned count;
	unsigned running;
};

/* --- which vendors ------------------------------------------------------- */

static void
add(struct survey *s, const char *icd)
{
	char library[PATH_MAX];

	if (vendor_library(icd, library, sizeof(library), NULL) == VGPU_OK &&
	    vendor_is_vgpu(library)) {
		log_debug("vendor %s is vgpu itself, left out", icd);
		return;
	}
	if (s->count == POOL_VENDORS_MAX) {
		log_warn("vendor %s left out: more than %d vendors", icd,
		    POOL_VENDORS_MAX);
		return;
	}
	s->all[s->count].survey = s;
	s->all[s->count].result = -1;
	if ((s->all[s->count].icd = strdup(icd)) != NULL)
		s->count++;
}

static int
is_icd(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && strcmp(d->d_name + n - 4, ".icd") == 0;
}

static void
add_folder(struct survey *s, const char *folder)
{
	struct dirent **names;
	char path[PATH_MAX];
	int i, n;

	n = scandir(folder, &names, is_icd, alphasort);
	if (n < 0) {
		log_warn("vendors: cannot read folder %s: %s", folder,
		    strerror(errno));
		return;
	}
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
		    names[i]->d_name);
		add(s, path);
		free(names[i]);
	}
	free(names);
}

static void
add_all(struct survey *s)
{
	const struct conf_texts *t = &s->conf->vendors;
	struct stat st;
	unsigned i;

	for (i = 0; i < t->n; i++) {
		if (stat(t->v[i], &st) == 0 && S_ISDIR(st.st_mode))
			add_folder(s, t->v[i]);
		else
			add(s, t->v[i]);
	}
}

/* --- the end ------------------------------------------------------------- */

static void
survey_free(struct survey *s)
{
	unsigned i;

	for (i = 0; i < s->count; i++) {
		if (s->all[i].pid > 0) {
			reap_forget(s->all[i].pid);
			spawn_kill(s->all[i].pid, SIGKILL);
		}
		relay_free(s->all[i].relay);
		if (s->all[i].result >= 0)
			close(s->all[i].result);
		pool_free(s->all[i].found);
		free(s->all[i].icd);
	}
	if (s->timer != NULL)
		event_free(s->timer);
	free(s);
}

static enum vgpu_err
merge(struct pool *pool, const struct one *o)
{
	const struct pool_device *d;
	enum vgpu_err rc;
	unsigned vendor, i;

	rc = pool_add_vendor(pool, o->icd, o->found == NULL ? o->reason : NULL,
	    &vendor);
	for (i = 0; rc == VGPU_OK && o->found != NULL &&
	    i < o->found->device_count; i++) {
		d = &o->found->devices[i];
		rc = pool_add_device(pool, vendor, d->platform, d->device,
		    &d->info, &d->platform_info);
	}
	return rc;
}

static void
finish(struct survey *s)
{
	struct pool *pool = pool_new();
	unsigned i;

	for (i = 0; i < s->count; i++)
		if (pool == NULL || merge(pool, &s->all[i]) != VGPU_OK)
			log_error("vendor %s left out: out of memory or too "
			    "many devices", s->all[i].icd);
	if (pool != NULL) {
		pool_finish(pool);
		s->fn(s->arg, pool);
	}
	survey_free(s);
}

/* --- one vendor ---------------------------------------------------------- */

/* The bytes come from a process that ran a vendor's code. */
static void
read_result(struct one *o)
{
	struct err_text text;
	struct buf bytes;

	buf_init(&bytes);
	if (memfd_read(o->result, INFOSET_BYTES_MAX, &bytes, &text) !=
	    VGPU_OK || pool_decode(&o->found, buf_front(&bytes),
	    buf_len(&bytes), &text) != VGPU_OK) {
		snprintf(o->reason, sizeof(o->reason), "%s", text.s);
		o->found = NULL;
	}
	buf_fini(&bytes);
	if (o->found == NULL)
		return;
	if (o->found->vendor_count == 1 && o->found->vendors[0].usable)
		return;
	log_escape(o->reason, sizeof(o->reason),
	    o->found->vendor_count == 1 ? o->found->vendors[0].reason :
	    "no answer", o->found->vendor_count == 1 ?
	    strlen(o->found->vendors[0].reason) : 9);
	pool_free(o->found);
	o->found = NULL;
}

static void
on_end(void *arg, int status)
{
	struct one *o = arg;
	struct survey *s = o->survey;
	char how[64];

	spawn_kill(o->pid, SIGKILL); /* what it may have started */
	o->pid = 0;
	relay_free(o->relay);
	o->relay = NULL;
	if (o->late)
		snprintf(o->reason, sizeof(o->reason),
		    "no answer within %u s", s->conf->probe_timeout);
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		read_result(o);
	else
		snprintf(o->reason, sizeof(o->reason), "its probe ended: %s",
		    reap_text(status, how, sizeof(how)));
	if (--s->running == 0)
		finish(s);
}

static void
on_timeout(int fd, short what, void *arg)
{
	struct survey *s = arg;
	unsigned i;

	(void)fd;
	(void)what;
	for (i = 0; i < s->count; i++)
		if (s->all[i].pid > 0) {
			s->all[i].late = true;
			spawn_kill(s->all[i].pid, SIGKILL);
		}
	if (s->running == 0)
		finish(s);
}

static int
make_setup(const struct survey *s, const struct one *o, struct err_text *text)
{
	struct infoset setup;
	int fd;

	infoset_init(&setup);
	infoset_put(&setup, SETUP_USER, s->user, sizeof(*s->user));
	infoset_put_u32(&setup, SETUP_LOG_LEVEL, s->conf->log_level);
	infoset_put_text(&setup, SETUP_STATE_DIR, s->dir);
	infoset_put_text(&setup, SETUP_ICD, o->icd);
	fd = setup_write(&setup, text);
	infoset_fini(&setup);
	return fd;
}

static void
run(struct survey *s, struct one *o)
{
	struct err_text text;
	char name[RELAY_NAME_MAX];
	int setup, log;

	snprintf(name, sizeof(name), "probe %s", o->icd);
	if ((setup = make_setup(s, o, &text)) >= 0 &&
	    (o->result = memfd_new("vgpu-probe", &text)) >= 0)
		o->pid = spawn(PROBE_ROLE, o->result, setup, &log, &text);
	if (setup >= 0)
		close(setup);
	if (o->pid <= 0) {
		o->pid = 0;
		snprintf(o->reason, sizeof(o->reason), "%s", text.s);
		return;
	}
	o->relay = relay_new(s->base, log, name);
	s->running++;
	reap_watch(o->pid, on_end, o);
}

enum vgpu_err
survey_start(struct survey **out, struct event_base *base,
    const struct conf *conf, const struct privsep_user *user,
    const char *probe_dir, survey_function *fn, void *arg,
    struct err_text *text)
{
	struct timeval limit = { (time_t)conf->probe_timeout, 0 };
	struct survey *s = calloc(1, sizeof(*s));
	unsigned i;

	if (s == NULL || (s->timer = evtimer_new(base, on_timeout, s)) ==
	    NULL) {
		free(s);
		return err_set(text, VGPU_ENOMEM, "out of memory");
	}
	s->base = base;
	s->conf = conf;
	s->user = user;
	s->dir = probe_dir;
	s->fn = fn;
	s->arg = arg;
	add_all(s);
	for (i = 0; i < s->count; i++)
		run(s, &s->all[i]);
	if (s->running == 0)
		limit.tv_sec = 0; /* call back, but not from here */
	event_add(s->timer, &limit);
	*out = s;
	return VGPU_OK;
}

void
survey_cancel(struct survey *s)
{
	if (s != NULL)
		survey_free(s);
}
