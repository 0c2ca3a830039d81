/* SPDX-License-Identifier: ISC */
#include "hostd/apart.h"

#include <stdio.h>
#include <stdlib.h>

#define AT_ONCE 4

struct pair {
	struct apart *apart;
	struct probing *probing;	/* NULL: not running */
	unsigned a, b;
};

struct apart {
	const struct probing_rules *rules;
	struct pool *pool;
	apart_function *fn;
	void *arg;
	struct probing *together;
	struct pair running[AT_ONCE];
	unsigned vendor[POOL_VENDORS_MAX];	/* the usable ones */
	unsigned count;
	unsigned next_a, next_b;	/* the next pair, in vendor */
	bool found;
};

void
apart_cancel(struct apart *p)
{
	unsigned i;

	if (p == NULL)
		return;
	probing_cancel(p->together);
	for (i = 0; i < AT_ONCE; i++)
		probing_cancel(p->running[i].probing);
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
take_pair(struct apart *p, struct pair *out)
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
	struct pair *pair;
	unsigned i;

	for (i = 0; i < AT_ONCE; i++) {
		pair = &p->running[i];
		while (pair->probing == NULL && take_pair(p, pair)) {
			icds[0] = v[pair->a].icd;
			icds[1] = v[pair->b].icd;
			if (probing_start(&pair->probing, p->rules, icds, 2,
			    on_pair, pair, &text) != VGPU_OK)
				add(p, pair->a, pair->b, text.s);
		}
		running |= pair->probing != NULL;
	}
	return running;
}

static void
on_pair(void *arg, struct pool *found, const char *reason)
{
	struct pair *pair = arg;
	struct apart *p = pair->apart;

	pair->probing = NULL;
	if (found == NULL)
		add(p, pair->a, pair->b, reason);
	pool_free(found);
	if (run_pairs(p))
		return;
	if (!p->found)
		log_warn("no two vendors exclude each other, but all together "
		    "do: sessions that use all may fail");
	finish(p);
}

/* ---- all ------------------------------------------------------------------ */

static void
on_together(void *arg, struct pool *found, const char *reason)
{
	struct apart *p = arg;

	p->together = NULL;
	if (found == NULL && p->count == 2)
		add(p, p->vendor[0], p->vendor[1], reason);
	if (found == NULL && p->count > 2) {
		log_info("vendors in one process: %s; trying pairs", reason);
		if (run_pairs(p))
			return;
	}
	pool_free(found);
	finish(p);
}

enum vgpu_err
apart_start(struct apart **out, const struct probing_rules *rules,
    struct pool *pool, apart_function *fn, void *arg, struct err_text *text)
{
	const char *icds[POOL_VENDORS_MAX];
	struct apart *p = calloc(1, sizeof(*p));
	enum vgpu_err rc;
	unsigned i;

	if (p == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	p->rules = rules;
	p->pool = pool;
	p->fn = fn;
	p->arg = arg;
	p->next_b = 1;
	for (i = 0; i < AT_ONCE; i++)
		p->running[i].apart = p;
	for (i = 0; i < pool->vendor_count; i++) {
		if (!pool->vendors[i].usable)
			continue;
		icds[p->count] = pool->vendors[i].icd;
		p->vendor[p->count++] = i;
	}
	rc = probing_start(&p->together, rules, icds, p->count, on_together, p,
	    text);
	if (rc == VGPU_OK)
		*out = p;
	else
		free(p);
	return rc;
}
