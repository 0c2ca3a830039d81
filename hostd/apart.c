/* SPDX-License-Identifier: ISC */
#include "hostd/apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_AT_ONCE 4
#define NO_CONTEXT "no context"	/* how a probe begins to say so */

/* A process in which one vendor, or two, make contexts. */
struct trial {
	struct apart *apart;
	struct probing *probing;	/* NULL: not running */
	unsigned a, b;			/* b: where there are two */
};

struct apart {
	const struct probing_rules *rules;
	struct pool *pool;
	apart_function *fn;
	void *arg;
	struct probing *together;
	char reason[ERR_TEXT_MAX];	/* why it failed last */
	struct trial trials[POOL_VENDORS_MAX];
	unsigned vendor[POOL_VENDORS_MAX];	/* the usable ones */
	unsigned count;
	unsigned next_a, next_b;	/* the next pair, in vendor */
	bool each_tried;
	bool found;
};

void
apart_cancel(struct apart *p)
{
	unsigned i;

	if (p == NULL)
		return;
	probing_cancel(p->together);
	for (i = 0; i < POOL_VENDORS_MAX; i++)
		probing_cancel(p->trials[i].probing);
	free(p);
}

static void
finish(struct apart *p)
{
	apart_function *fn = p->fn;
	void *arg = p->arg;

	free(p);
	fn(arg);
}

static void
add(struct apart *p, unsigned a, unsigned b, const char *reason)
{
	const struct pool_vendor *v = p->pool->vendors;

	if (pool_add_apart(p->pool, a, b, reason) == VGPU_OK)
		log_warn("vendors %s and %s can't share a process: %s",
		    v[a].name, v[b].name, reason);
	p->found = true;
}

/* ---- pairs --------------------------------------------------------------- */

static void on_pair(void *, struct pool *, const char *);

/* The pair after the last one; false: that was the last. */
static bool
take_pair(struct apart *p, struct trial *out)
{
	if (p->next_b >= p->count) {
		p->next_a++;
		p->next_b = p->next_a + 1;
	}
	if (p->next_b >= p->count)
		return false;
	out->a = p->vendor[p->next_a];
	out->b = p->vendor[p->next_b++];
	return true;
}

/* Begin as many as may run; true: some do. */
static bool
run_pairs(struct apart *p)
{
	const struct pool_vendor *v = p->pool->vendors;
	struct err_text text;
	const char *icds[2];
	bool running = false;
	struct trial *t;
	unsigned i;

	for (i = 0; i < PAIRS_AT_ONCE; i++) {
		t = &p->trials[i];
		while (t->probing == NULL && take_pair(p, t)) {
			icds[0] = v[t->a].icd;
			icds[1] = v[t->b].icd;
			if (probing_start(&t->probing, p->rules,
			    PROBING_CONTEXTS, icds, 2, on_pair, t, &text) !=
			    VGPU_OK)
				add(p, t->a, t->b, text.s);
		}
		running |= t->probing != NULL;
	}
	return running;
}

static void
finish_pairs(struct apart *p)
{
	if (!p->found)
		log_warn("no two vendors exclude each other, but all together "
		    "do: sessions that use all may fail");
	finish(p);
}

static void
on_pair(void *arg, struct pool *found, const char *reason)
{
	struct trial *t = arg;
	struct apart *p = t->apart;

	t->probing = NULL;
	if (found == NULL)
		add(p, t->a, t->b, reason);
	pool_free(found);
	if (!run_pairs(p))
		finish_pairs(p);
}

static void
try_pairs(struct apart *p)
{
	if (p->count == 2) {
		add(p, p->vendor[0], p->vendor[1], p->reason);
		finish(p);
		return;
	}
	log_info("vendors in one process: %s; trying pairs", p->reason);
	p->next_b = 1;
	if (!run_pairs(p))
		finish_pairs(p);
}

/* ---- each ---------------------------------------------------------------- */

static enum vgpu_err try_together(struct apart *, struct err_text *);

/* What can't make a context by itself would make each of its pairs fail. */
static void
exclude(struct apart *p, unsigned vendor, const char *reason)
{
	const bool said = strncmp(reason, NO_CONTEXT, strlen(NO_CONTEXT)) == 0;
	char why[ERR_TEXT_MAX];

	snprintf(why, sizeof(why), "%s%.*s", said ? "" : NO_CONTEXT ": ",
	    (int)(sizeof(why) - sizeof(NO_CONTEXT ": ")), reason);
	if (pool_exclude_vendor(p->pool, vendor, why) != VGPU_OK)
		log_error("vendor %s: out of memory",
		    p->pool->vendors[vendor].name);
}

/* Each has answered: on with those that are left. */
static void
after_each(struct apart *p)
{
	struct err_text text;
	unsigned i, kept = 0;

	for (i = 0; i < p->count; i++)
		if (p->pool->vendors[p->vendor[i]].usable)
			p->vendor[kept++] = p->vendor[i];
	if (kept == p->count) {
		try_pairs(p);
		return;
	}
	p->count = kept;
	if (kept < 2) {
		finish(p);
	} else if (try_together(p, &text) != VGPU_OK) {
		log_error("vendors are not tried together: %s", text.s);
		finish(p);
	}
}

static bool
each_has_ended(const struct apart *p)
{
	unsigned i;

	for (i = 0; i < p->count; i++)
		if (p->trials[i].probing != NULL)
			return false;
	return true;
}

static void
on_one(void *arg, struct pool *found, const char *reason)
{
	struct trial *t = arg;

	t->probing = NULL;
	if (found == NULL)
		exclude(t->apart, t->a, reason);
	pool_free(found);
	if (each_has_ended(t->apart))
		after_each(t->apart);
}

/* All at the same time, as when they were asked for devices. */
static void
try_each(struct apart *p)
{
	const struct pool_vendor *v = p->pool->vendors;
	struct err_text text;
	const char *icd;
	struct trial *t;
	unsigned i;

	log_info("vendors in one process: %s; trying each", p->reason);
	p->each_tried = true;
	for (i = 0; i < p->count; i++) {
		t = &p->trials[i];
		t->a = p->vendor[i];
		icd = v[t->a].icd;
		/* a failure here is not the vendor's */
		if (probing_start(&t->probing, p->rules, PROBING_CONTEXTS,
		    &icd, 1, on_one, t, &text) != VGPU_OK)
			log_error("vendor %s is not tried: %s", v[t->a].name,
			    text.s);
	}
	if (each_has_ended(p))
		after_each(p);
}

/* ---- all ----------------------------------------------------------------- */

static void
on_together(void *arg, struct pool *found, const char *reason)
{
	struct apart *p = arg;

	p->together = NULL;
	snprintf(p->reason, sizeof(p->reason), "%s", reason);
	if (found == NULL && !p->each_tried)
		try_each(p);
	else if (found == NULL)
		try_pairs(p);
	else
		finish(p);
	pool_free(found);
}

static enum vgpu_err
try_together(struct apart *p, struct err_text *text)
{
	const char *icds[POOL_VENDORS_MAX];
	unsigned i;

	for (i = 0; i < p->count; i++)
		icds[i] = p->pool->vendors[p->vendor[i]].icd;
	return probing_start(&p->together, p->rules, PROBING_CONTEXTS, icds,
	    p->count, on_together, p, text);
}

enum vgpu_err
apart_start(struct apart **out, const struct probing_rules *rules,
    struct pool *pool, apart_function *fn, void *arg, struct err_text *text)
{
	struct apart *p = calloc(1, sizeof(*p));
	enum vgpu_err rc;
	unsigned i;

	if (p == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	p->rules = rules;
	p->pool = pool;
	p->fn = fn;
	p->arg = arg;
	for (i = 0; i < POOL_VENDORS_MAX; i++)
		p->trials[i].apart = p;
	for (i = 0; i < pool->vendor_count; i++)
		if (pool->vendors[i].usable)
			p->vendor[p->count++] = i;
	rc = try_together(p, text);
	if (rc == VGPU_OK)
		*out = p;
	else
		free(p);
	return rc;
}
