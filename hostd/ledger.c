/* SPDX-License-Identifier: ISC */
#include "hostd/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "transport/transport.h"

struct entry {
	LIST_ENTRY(entry) entry;
	unsigned session;
	char tenant[TRANSPORT_NAME_MAX];
	struct usage *usage;
	bool offered[POOL_DEVICES_MAX];
	unsigned expected;	/* a device; POOL_DEVICES_MAX: none */
	bool has_begun;		/* to use any */
	unsigned uses[POOL_DEVICES_MAX];	/* contexts on each device */
	uint64_t ordered[POOL_DEVICES_MAX];
	/* At the last look: what it had run there, and whether that was much. */
	uint64_t busy[POOL_DEVICES_MAX];
	bool works[POOL_DEVICES_MAX];
	struct ledger_note notes[LEDGER_NOTES_MAX];
	unsigned note_count;
};

struct ledger {
	LIST_HEAD(, entry) entries;
	uint64_t turn, order;
	uint64_t turns[POOL_DEVICES_MAX];
	bool drained[POOL_DEVICES_MAX];
};

struct ledger *
ledger_new(void)
{
	struct ledger *l = calloc(1, sizeof(*l));

	if (l != NULL)
		LIST_INIT(&l->entries);
	return l;
}

static void
entry_free(struct entry *e)
{
	LIST_REMOVE(e, entry);
	usage_free(e->usage);
	free(e);
}

void
ledger_free(struct ledger *l)
{
	struct entry *e;

	if (l == NULL)
		return;
	while ((e = LIST_FIRST(&l->entries)) != NULL) {
		entry_free(e);
	}
	free(l);
}

static struct entry *
find(const struct ledger *l, unsigned session)
{
	struct entry *e;

	LIST_FOREACH(e, &l->entries, entry)
		if (e->session == session)
			return e;
	return NULL;
}

const char *
ledger_tenant(const struct ledger *l, unsigned session)
{
	const struct entry *e = find(l, session);

	return e == NULL ? "" : e->tenant;
}

unsigned
ledger_count(const struct ledger *l, const char *tenant)
{
	const struct entry *e;
	unsigned n = 0;

	LIST_FOREACH(e, &l->entries, entry)
		n += tenant == NULL || strcmp(e->tenant, tenant) == 0;
	return n;
}

static enum vgpu_err
may_enter(const struct ledger *l, const struct conf *conf,
    const struct conf_tenant *t, const char *tenant, struct err_text *text)
{
	unsigned n;

	if ((n = ledger_count(l, NULL)) >= conf->max_sessions)
		return err_set(text, VGPU_EQUOTA, "this host has %u sessions "
		    "already, its max-sessions", n);
	n = ledger_count(l, tenant);
	if (t->max_sessions != 0 && n >= t->max_sessions)
		return err_set(text, VGPU_EQUOTA, "tenant \"%s\" has %u "
		    "sessions already, its max-sessions", tenant, n);
	return VGPU_OK;
}

enum vgpu_err
ledger_enter(struct ledger *l, const struct conf *conf,
    const struct conf_tenant *t, unsigned session, const char *tenant,
    struct err_text *text)
{
	struct entry *e;
	enum vgpu_err rc;

	if (find(l, session) != NULL)
		return err_set(text, VGPU_EHANDLE, "session %u is there "
		    "already", session);
	if ((rc = may_enter(l, conf, t, tenant, text)) != VGPU_OK)
		return rc;
	if ((e = calloc(1, sizeof(*e))) == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	e->session = session;
	snprintf(e->tenant, sizeof(e->tenant), "%s", tenant);
	e->expected = POOL_DEVICES_MAX;
	LIST_INSERT_HEAD(&l->entries, e, entry);
	return VGPU_OK;
}

void
ledger_leave(struct ledger *l, unsigned session)
{
	struct entry *e = find(l, session);

	if (e == NULL)
		return;
	entry_free(e);
}

void
ledger_offer(struct ledger *l, unsigned session, unsigned device)
{
	struct entry *e = find(l, session);

	if (e != NULL && device < POOL_DEVICES_MAX)
		e->offered[device] = true;
}

bool
ledger_is_offered(const struct ledger *l, unsigned session, unsigned device)
{
	const struct entry *e = find(l, session);

	return e != NULL && device < POOL_DEVICES_MAX && e->offered[device];
}

static void
forget_stays(struct entry *e, unsigned device)
{
	unsigned i;

	for (i = 0; i < e->note_count; i++)
		if (e->notes[i].device == device)
			e->notes[i].over = true;
}

enum vgpu_err
ledger_use(struct ledger *l, unsigned session, unsigned device, int change)
{
	struct entry *e = find(l, session);

	if (e == NULL || device >= POOL_DEVICES_MAX ||
	    (change != 1 && change != -1) ||
	    (change < 0 && e->uses[device] == 0))
		return VGPU_EPROTO;
	e->uses[device] += (unsigned)change;
	if (e->uses[device] == 0)
		forget_stays(e, device);
	e->has_begun = true;
	return VGPU_OK;
}

void
ledger_expect(struct ledger *l, unsigned session, unsigned device)
{
	struct entry *e = find(l, session);

	if (e != NULL)
		e->expected = device;
}

void
ledger_set_usage(struct ledger *l, unsigned session, struct usage *u)
{
	struct entry *e = find(l, session);

	if (e == NULL) {
		usage_free(u);
		return;
	}
	usage_free(e->usage);
	e->usage = u;
}

const struct usage *
ledger_usage(const struct ledger *l, unsigned session)
{
	const struct entry *e = find(l, session);

	return e == NULL ? NULL : e->usage;
}

static bool
uses(const struct entry *e, unsigned device)
{
	return e->uses[device] > 0 || (e->expected == device &&
	    !e->has_begun);
}

bool
ledger_is_user(const struct ledger *l, unsigned session, unsigned device)
{
	const struct entry *e = find(l, session);

	return e != NULL && device < POOL_DEVICES_MAX && uses(e, device);
}

unsigned
ledger_users(const struct ledger *l, unsigned device, unsigned but_session)
{
	const struct entry *e;
	unsigned n = 0;

	if (device >= POOL_DEVICES_MAX)
		return 0;
	LIST_FOREACH(e, &l->entries, entry)
		n += e->session != but_session && uses(e, device);
	return n;
}

unsigned
ledger_mine(const struct ledger *l, unsigned session, unsigned device)
{
	const struct entry *e = find(l, session);

	return e == NULL || device >= POOL_DEVICES_MAX ? 0 : e->uses[device];
}

uint64_t
ledger_turn(const struct ledger *l, unsigned device)
{
	return device >= POOL_DEVICES_MAX ? 0 : l->turns[device];
}

void
ledger_take_turn(struct ledger *l, unsigned device)
{
	if (device < POOL_DEVICES_MAX)
		l->turns[device] = ++l->turn;
}

void
ledger_drain(struct ledger *l, unsigned device, bool drained)
{
	if (device < POOL_DEVICES_MAX)
		l->drained[device] = drained;
}

bool
ledger_is_drained(const struct ledger *l, unsigned device)
{
	return device < POOL_DEVICES_MAX && l->drained[device];
}

/* ---- who works where -------------------------------------------------------- */

/* Of the time between two looks. */
#define MUCH_NS_A_SECOND (UINT64_C(1000000000) / 20)

static void
look(struct entry *e, unsigned device, unsigned seconds)
{
	uint64_t now;

	e->works[device] = false;
	if (e->uses[device] == 0 || e->usage == NULL)
		return;
	now = usage_busy(e->usage, device);
	e->works[device] = usage_queued(e->usage, device) > 0 ||
	    now - e->busy[device] >= seconds * MUCH_NS_A_SECOND;
	e->busy[device] = now;
}

void
ledger_look(struct ledger *l, unsigned seconds)
{
	struct entry *e;
	unsigned i;

	LIST_FOREACH(e, &l->entries, entry)
		for (i = 0; i < POOL_DEVICES_MAX; i++)
			look(e, i, seconds);
}

bool
ledger_works(const struct ledger *l, unsigned session, unsigned device)
{
	const struct entry *e = find(l, session);

	return e != NULL && device < POOL_DEVICES_MAX && e->works[device];
}

unsigned
ledger_working(const struct ledger *l, unsigned device)
{
	const struct entry *e;
	unsigned n = 0;

	LIST_FOREACH(e, &l->entries, entry)
		n += device < POOL_DEVICES_MAX && e->works[device];
	return n;
}

/* ---- for people ------------------------------------------------------------ */

/* Where a note goes: to the end, or in the place of what it takes back. */
static struct ledger_note *
note_place(struct entry *e, enum ledger_what what)
{
	unsigned i;

	for (i = 0; what == NOTE_SHOWN && i < e->note_count; i++)
		if (e->notes[i].what == what)
			return &e->notes[i];
	if (e->note_count == LEDGER_NOTES_MAX)
		memmove(e->notes, e->notes + 1, --e->note_count *
		    sizeof(e->notes[0]));
	return &e->notes[e->note_count++];
}

void
ledger_note(struct ledger *l, unsigned session, unsigned device,
    enum ledger_what what, int64_t at, const char *reason)
{
	struct entry *e = find(l, session);
	struct ledger_note *n;

	if (e == NULL)
		return;
	n = note_place(e, what);
	n->device = device;
	n->what = what;
	n->at = at;
	n->over = false;
	snprintf(n->reason, sizeof(n->reason), "%s", reason);
}

const char *
ledger_stays(const struct ledger *l, unsigned session, unsigned device,
    int64_t since)
{
	const struct entry *e = find(l, session);
	const struct ledger_note *n;
	unsigned i;

	for (i = e == NULL ? 0 : e->note_count; i-- > 0;) {
		n = &e->notes[i];
		if (n->what == NOTE_STAYS && n->device == device && !n->over &&
		    n->at >= since)
			return n->reason;
	}
	return NULL;
}

void
ledger_order(struct ledger *l, unsigned session, unsigned device)
{
	struct entry *e = find(l, session);

	if (e != NULL && device < POOL_DEVICES_MAX)
		e->ordered[device] = ++l->order;
}

uint64_t
ledger_ordered(const struct ledger *l, unsigned session, unsigned device)
{
	const struct entry *e = find(l, session);

	return e == NULL || device >= POOL_DEVICES_MAX ? 0 :
	    e->ordered[device];
}

unsigned
ledger_notes(const struct ledger *l, unsigned session,
    const struct ledger_note **out)
{
	const struct entry *e = find(l, session);

	*out = e == NULL ? NULL : e->notes;
	return e == NULL ? 0 : e->note_count;
}

unsigned
ledger_next(const struct ledger *l, unsigned session)
{
	const struct entry *e;
	unsigned next = 0;

	LIST_FOREACH(e, &l->entries, entry)
		if (e->session > session && (next == 0 || e->session < next))
			next = e->session;
	return next;
}
