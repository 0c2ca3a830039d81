/* SPDX-License-Identifier: ISC */
#include "hostd/parent_private.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/channel.h"
#include "hostd/conf_local.h"
#include "hostd/dirs.h"
#include "hostd/offer.h"
#include "transport/transport.h"

/* It will most likely use the first one. */
static void
expect(struct parent *p, const struct offer *o, unsigned place,
    const char *reason)
{
	const unsigned index = o->pool->devices[place].index;

	ledger_expect(p->ledger, o->session, index);
	ledger_take_turn(p->ledger, index);
	ledger_note(p->ledger, o->session, index, NOTE_SHOWN, clock_ms(),
	    reason);
	log_debug("session %u offered device %u first: %s", o->session, index,
	    reason);
}

/* The oldest of its notes, so the first that give way to others. */
static void
note_left_out(struct parent *p, const struct offer *o)
{
	struct offer_left left[POOL_VENDORS_MAX];
	unsigned i, n = offer_left_out(o, left);

	for (i = 0; i < n; i++) {
		ledger_note(p->ledger, o->session, left[i].device, NOTE_APART,
		    clock_ms(), left[i].reason);
		log_debug("session %u not offered device %u: %s", o->session,
		    left[i].device, left[i].reason);
	}
}

/* It is another one, as the client wants less than it is offered. */
static enum vgpu_err
on_shown(void *arg, struct child *c, unsigned device)
{
	static const char why[] = "the first of those that its client chose";
	struct parent *p = arg;
	const unsigned session = child_session(c);

	if (!ledger_is_offered(p->ledger, session, device))
		return VGPU_EPROTO;
	ledger_expect(p->ledger, session, device);
	ledger_take_turn(p->ledger, device);
	ledger_note(p->ledger, session, device, NOTE_SHOWN, clock_ms(), why);
	log_debug("session %u shown device %u first: %s", session, device,
	    why);
	return VGPU_OK;
}

/* Its page, with what is known of its tenant's programs. */
static enum vgpu_err
open_usage(struct parent *p, unsigned session, const char *tenant, int *fd,
    struct err_text *text)
{
	struct usage *u;
	enum vgpu_err rc;

	if ((rc = usage_new(&u, fd, text)) != VGPU_OK)
		return rc;
	history_teach(p->history, tenant, u);
	ledger_set_usage(p->ledger, session, u);
	return VGPU_OK;
}

static void
admit(struct parent *p, struct child *c, const struct conf_tenant *t,
    const char *name)
{
	const struct conf *conf = p->now->conf;
	/* it numbers devices by the pool that it was started with */
	const struct offer offer = { child_regime(c)->pool, p->ledger, conf, t,
		child_session(c), p->history };
	unsigned order[POOL_DEVICES_MAX], n;
	char dir[PATH_MAX], reason[PLACE_REASON_MAX];
	struct err_text text;
	struct infoset set;
	unsigned i;
	int usage;

	if (dirs_tenant(conf->state_dir, name, &p->now->user, dir,
	    sizeof(dir), &text) != VGPU_OK ||
	    open_usage(p, child_session(c), name, &usage, &text) != VGPU_OK) {
		log_error("session %u refused: %s", child_session(c), text.s);
		ledger_leave(p->ledger, child_session(c));
		child_refuse(c, VGPU_ESYS, "this host can't serve the tenant; "
		    "its log says why");
		return;
	}
	note_left_out(p, &offer);
	n = offer_order(&offer, order, reason);
	for (i = 0; i < n; i++)
		ledger_offer(p->ledger, offer.session,
		    offer.pool->devices[order[i]].index);
	if (n > 0)
		expect(p, &offer, order[0], reason);
	infoset_init(&set);
	infoset_put_text(&set, ADMIT_TENANT, name);
	infoset_put_u64(&set, ADMIT_PRESENT_AS, t->present_as);
	infoset_put_text(&set, ADMIT_STATE_DIR, dir);
	infoset_put(&set, ADMIT_DEVICES, order, n * sizeof(order[0]));
	infoset_put_u32(&set, ADMIT_VIEW, t->view);
	infoset_put_u32(&set, ADMIT_MOVE_ACROSS, t->move_across);
	if (t->names != NULL)
		infoset_put_text(&set, ADMIT_NAMES, t->names);
	child_admit(c, name, &set, usage);
	close(usage);
	parent_tell_shut(p, c);
	infoset_fini(&set);
}

static void
refuse(struct child *c, const char *who, enum vgpu_err e, const char *why)
{
	log_info("session %u %s refused: %s", child_session(c), who,
	    err_name(e));
	child_refuse(c, e, why);
}

/*
 * The tenant of a session's client, and its name in tenant; NULL: refused.
 * Of a local client the kernel told us who it is, and what the session says
 * does not count.
 */
static const struct conf_tenant *
who_is(const struct parent *p, struct child *c, const char *name,
    char tenant[TRANSPORT_NAME_MAX])
{
	const struct conf *conf = p->now->conf;
	const struct peer *peer = child_peer(c);
	const struct conf_tenant *t;
	char escaped[128], who[160];
	struct err_text text;

	if (peer->local)
		t = conf_local_tenant(conf, peer, tenant, &text);
	else if ((t = conf_tenant(conf, name)) != NULL)
		snprintf(tenant, TRANSPORT_NAME_MAX, "%s", name);
	else
		err_set(&text, VGPU_EAUTH, "this host knows no tenant "
		    "\"%s\"", name);
	if (t != NULL)
		return t;
	if (peer->local)
		snprintf(who, sizeof(who), "user %u", (unsigned)peer->uid);
	else
		snprintf(who, sizeof(who), "tenant %s", log_escape(escaped,
		    sizeof(escaped), name, strlen(name)));
	refuse(c, who, VGPU_EAUTH, text.s);
	return NULL;
}

static void
on_identity(void *arg, struct child *c, const char *claimed)
{
	struct parent *p = arg;
	const struct conf_tenant *t;
	char name[TRANSPORT_NAME_MAX], escaped[128], who[160];
	struct err_text text;
	enum vgpu_err rc;

	if ((t = who_is(p, c, claimed, name)) == NULL)
		return;
	log_escape(escaped, sizeof(escaped), name, strlen(name));
	rc = ledger_enter(p->ledger, p->now->conf, t, child_session(c), name,
	    &text);
	if (rc != VGPU_OK) {
		snprintf(who, sizeof(who), "tenant %s", escaped);
		refuse(c, who, rc, text.s);
		return;
	}
	log_info("session %u tenant %s begins", child_session(c), escaped);
	admit(p, c, t, name);
}

/* It may have decided so before it heard that nothing may run there. */
static enum vgpu_err
begin_use(struct parent *p, struct child *c, unsigned device)
{
	enum vgpu_err rc = VGPU_EPROTO;

	if (ledger_is_offered(p->ledger, child_session(c), device))
		rc = ledger_use(p->ledger, child_session(c), device, 1);
	if (rc == VGPU_OK)
		parent_clear_shut(p, c, device);
	return rc;
}

static enum vgpu_err
on_load(void *arg, struct child *c, unsigned device, int change)
{
	struct parent *p = arg;

	return change == 1 ? begin_use(p, c, device) :
	    ledger_use(p->ledger, child_session(c), device, change);
}

/* Under the configuration that the session began with. */
static void
on_build(void *arg, struct child *c, const char *state_dir, int fd)
{
	struct parent *p = arg;
	const struct regime *r = child_regime(c);

	builders_add(p->builders, &(struct builders_order){
	    .user = &r->user, .log_level = r->conf->log_level,
	    .build_cache = conf_build_cache(r->conf),
	    .state_dir = state_dir }, fd);
}

static enum vgpu_err
on_place(void *arg, struct child *c, const unsigned *devices, unsigned n,
    unsigned *chosen)
{
	struct parent *p = arg;
	const struct offer offer = { child_regime(c)->pool, p->ledger,
		p->now->conf, NULL, child_session(c), p->history };
	char reason[PLACE_REASON_MAX];
	enum vgpu_err rc;

	rc = offer_place(&offer, devices, n, chosen, reason);
	if (rc == VGPU_OK)
		rc = begin_use(p, c, *chosen);
	if (rc != VGPU_OK)
		return rc;
	ledger_take_turn(p->ledger, *chosen);
	ledger_note(p->ledger, child_session(c), *chosen, NOTE_RUNS,
	    clock_ms(), reason);
	log_debug("session %u context on device %u: %s", child_session(c),
	    *chosen, reason);
	return VGPU_OK;
}

static uint64_t
speed_of(const void *pool, unsigned device)
{
	const struct pool_device *d = pool_find(pool, device);

	return d == NULL ? 0 : pool_speed(d);
}

/* What it did says what its tenant's next ones will do. */
static void
learn(struct parent *p, const struct child *c)
{
	const struct history_speeds speeds = { speed_of,
		child_regime(c)->pool };
	const struct usage *u = ledger_usage(p->ledger, child_session(c));

	if (u != NULL)
		history_learn(p->history, ledger_tenant(p->ledger,
		    child_session(c)), u, &speeds);
}

static void
on_gone(void *arg, struct child *c, bool was_session)
{
	struct parent *p = arg;

	if (was_session) {
		learn(p, c);
		ledger_leave(p->ledger, child_session(c));
	}
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
	.build = on_build,
	.place = on_place,
	.moved = parent_moved,
	.lost = parent_lost,
	.shown = on_shown,
	.gone = on_gone,
	.empty = on_empty,
};
