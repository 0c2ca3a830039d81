/* SPDX-License-Identifier: ISC */
#include "hostd/survey.h"

#include <dirent.h>
#include <errno.h>
#include <event2/event.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/log.h"
#include "hostd/apart.h"
#include "hostd/probing.h"
#include "hostd/vendor.h"

struct one {
	struct survey *survey;
	char *icd;
	struct probing *probing;	/* NULL: not running */
	struct pool *found;	/* of this one vendor */
	char reason[ERR_TEXT_MAX]; /* why it is NULL */
};

struct survey {
	struct probing_rules rules;
	const struct conf *conf;
	survey_function *fn;
	void *arg;
	struct event *timer;	/* where there is nothing to wait for */
	struct pool *pool;
	struct apart *apart;
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
		probing_cancel(s->all[i].probing);
		pool_free(s->all[i].found);
		free(s->all[i].icd);
	}
	apart_cancel(s->apart);
	pool_free(s->pool);
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
	struct pool *pool = s->pool;

	s->pool = NULL;
	if (pool != NULL) {
		pool_finish(pool);
		s->fn(s->arg, pool);
	}
	survey_free(s);
}

static void
on_apart(void *arg)
{
	struct survey *s = arg;

	s->apart = NULL;
	finish(s);
}

/* Each vendor by itself is known: now together, where there are several. */
static void
put_together(struct survey *s)
{
	struct err_text text;
	unsigned i, usable = 0;

	s->pool = pool_new();
	for (i = 0; i < s->count; i++)
		if (s->pool == NULL || merge(s->pool, &s->all[i]) != VGPU_OK)
			log_error("vendor %s left out: out of memory or too "
			    "many devices", s->all[i].icd);
		else
			usable += s->all[i].found != NULL;
	if (usable < 2) {
		finish(s);
		return;
	}
	if (apart_start(&s->apart, &s->rules, s->pool, on_apart, s, &text) ==
	    VGPU_OK)
		return;
	log_error("vendors are not tried together: %s", text.s);
	finish(s);
}

/* --- one vendor ---------------------------------------------------------- */

static void
on_found(void *arg, struct pool *found, const char *reason)
{
	struct one *o = arg;
	struct survey *s = o->survey;

	o->probing = NULL;
	o->found = found;
	snprintf(o->reason, sizeof(o->reason), "%s", reason);
	if (--s->running == 0)
		put_together(s);
}

static void
on_nothing(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	put_together(arg);
}

static void
run(struct survey *s, struct one *o)
{
	const char *icd = o->icd;
	struct err_text text;

	if (probing_start(&o->probing, &s->rules, PROBING_DEVICES, &icd,
	    1, on_found, o, &text) == VGPU_OK)
		s->running++;
	else
		snprintf(o->reason, sizeof(o->reason), "%s", text.s);
}

enum vgpu_err
survey_start(struct survey **out, struct event_base *base,
    const struct conf *conf, const struct privsep_user *user,
    const char *probe_dir, survey_function *fn, void *arg,
    struct err_text *text)
{
	const struct timeval now = { 0, 0 };
	struct survey *s = calloc(1, sizeof(*s));
	unsigned i;

	if (s == NULL || (s->timer = evtimer_new(base, on_nothing, s)) ==
	    NULL) {
		free(s);
		return err_set(text, VGPU_ENOMEM, "out of memory");
	}
	s->rules = (struct probing_rules){ base, user, probe_dir,
		conf->log_level, conf->probe_timeout };
	s->conf = conf;
	s->fn = fn;
	s->arg = arg;
	add_all(s);
	for (i = 0; i < s->count; i++)
		run(s, &s->all[i]);
	if (s->running == 0)
		event_add(s->timer, &now); /* call back, but not from here */
	*out = s;
	return VGPU_OK;
}

void
survey_cancel(struct survey *s)
{
	if (s != NULL)
		survey_free(s);
}
