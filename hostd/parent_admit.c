/* SPDX-License-Identifier: ISC */
#include "hostd/parent_private.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "hostd/channel.h"
#include "hostd/dirs.h"

/*
 * The regime that a process was started under; it numbers devices by that
 * one's pool.
 */
static const struct regime *
regime_of(const struct parent *p, const struct child *c)
{
	const struct regime *r;

	LIST_FOREACH(r, &p->old, entry)
		if (r->signer == child_signer(c))
			return r;
	return p->now;
}

static void
admit(struct parent *p, struct child *c, const char *name)
{
	const struct conf *conf = p->now->conf;
	const struct conf_tenant *t = conf_tenant(conf, name);
	unsigned order[POOL_DEVICES_MAX], n;
	char dir[PATH_MAX];
	struct err_text text;
	struct infoset set;

	if (dirs_tenant(conf->state_dir, name, &p->now->user, dir,
	    sizeof(dir), &text) != VGPU_OK) {
		log_error("session %u refused: %s", child_session(c), text.s);
		ledger_leave(p->ledger, child_session(c));
		child_refuse(c, VGPU_ESYS, "this host has no folder for the "
		    "tenant; its log says why");
		return;
	}
	n = ledger_order(p->ledger, regime_of(p, c)->pool, t, order);
	infoset_init(&set);
	infoset_put_text(&set, ADMIT_TENANT, name);
	infoset_put_u64(&set, ADMIT_PRESENT_AS, t->present_as);
	infoset_put_text(&set, ADMIT_STATE_DIR, dir);
	infoset_put(&set, ADMIT_DEVICES, order, n * sizeof(order[0]));
	child_admit(c, name, &set);
	infoset_fini(&set);
}

static void
on_identity(void *arg, struct child *c, const char *name)
{
	struct parent *p = arg;
	char escaped[128];
	struct err_text text;
	enum vgpu_err rc;

	log_escape(escaped, sizeof(escaped), name, strlen(name));
	rc = ledger_enter(p->ledger, p->now->conf, child_session(c), name,
	    &text);
	if (rc != VGPU_OK) {
		log_info("session %u tenant %s refused: %s", child_session(c),
		    escaped, err_name(rc));
		child_refuse(c, rc, text.s);
		return;
	}
	log_info("session %u tenant %s begins", child_session(c), escaped);
	admit(p, c, name);
}

static enum vgpu_err
on_load(void *arg, struct child *c, unsigned device, int change)
{
	struct parent *p = arg;

	return ledger_use(p->ledger, child_session(c), device, change);
}

static void
on_gone(void *arg, struct child *c, bool was_session)
{
	struct parent *p = arg;

	if (was_session)
		ledger_leave(p->ledger, child_session(c));
	parent_free_unused(p);
}

static void
on_empty(void *arg)
{
	struct parent *p = arg;

	event_base_loopbreak(p->base);
}

const struct warm_hooks parent_hooks = {
	.identity = on_identity,
	.load = on_load,
	.gone = on_gone,
	.empty = on_empty,
};
