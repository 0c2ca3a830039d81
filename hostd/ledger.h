/* SPDX-License-Identifier: ISC */
/*
 * ledger - which tenant has which sessions, and which devices they use.
 *
 * Only numbers and names: it decides who may have one more session, and knows
 * no process and no socket.  Devices are counted by their indexes.
 */
#ifndef VGPU_HOSTD_LEDGER_H
#define VGPU_HOSTD_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "hostd/conf.h"
#include "hostd/place.h"
#include "hostd/pool.h"
#include "hostd/usage.h"

struct ledger;

struct ledger *ledger_new(void);
void ledger_free(struct ledger *);

/*
 * Enter a session of a tenant, for which those rules hold.
 * VGPU_EQUOTA: it, or the host, has as many sessions as it may have.
 * VGPU_EHANDLE: the session is there already.  VGPU_ENOMEM.
 * The text is for the client.
 */
enum vgpu_err ledger_enter(struct ledger *, const struct conf *,
    const struct conf_tenant *, unsigned session, const char *tenant,
    struct err_text *);

/* The session has ended, and uses no device any more. */
void ledger_leave(struct ledger *, unsigned session);

/* The session may use this device; and may it? */
void ledger_offer(struct ledger *, unsigned session, unsigned device);
bool ledger_is_offered(const struct ledger *, unsigned session,
    unsigned device);

/*
 * A session begins (+1) or ceases (-1) to use a device.  VGPU_EPROTO: it is
 * not so: no such device or session, or more ceased than begun.
 */
enum vgpu_err ledger_use(struct ledger *, unsigned session, unsigned device,
    int change);

/*
 * The session is going to use this device, as far as one knows: it counts until
 * it uses any.
 */
void ledger_expect(struct ledger *, unsigned session, unsigned device);

/* The page on which it tells what it does (taken); NULL: it has none. */
void ledger_set_usage(struct ledger *, unsigned session, struct usage *);
const struct usage *ledger_usage(const struct ledger *, unsigned session);

/* How many sessions but this one use a device, or are going to. */
unsigned ledger_users(const struct ledger *, unsigned device,
    unsigned but_session);

/* Whether it is one of those. */
bool ledger_is_user(const struct ledger *, unsigned session, unsigned device);

/* How many contexts a session has on a device. */
unsigned ledger_mine(const struct ledger *, unsigned session,
    unsigned device);

/* The more, the later a device was chosen for something; 0: never. */
uint64_t ledger_turn(const struct ledger *, unsigned device);
void ledger_take_turn(struct ledger *, unsigned device);

/* Whether a device is drained: nothing new shall begin to use it. */
void ledger_drain(struct ledger *, unsigned device, bool drained);
bool ledger_is_drained(const struct ledger *, unsigned device);

/*
 * Some seconds have passed since the last look: which sessions have worked on a
 * device since then for more than a little of that time, or have something
 * queued there now?
 */
void ledger_look(struct ledger *, unsigned seconds);
bool ledger_works(const struct ledger *, unsigned session, unsigned device);
/* How many of them. */
unsigned ledger_working(const struct ledger *, unsigned device);

/* What was decided about a session. */
enum ledger_what {
	NOTE_SHOWN,	/* it is shown the device first of all */
	NOTE_RUNS,	/* the device runs a context */
	NOTE_MOVED,	/* a context has left the device */
	NOTE_STAYS,	/* a context could not leave it */
	NOTE_APART,	/* it is not offered the device */
};

struct ledger_note {
	unsigned device;
	enum ledger_what what;
	int64_t at;		/* clock_ms */
	bool over;		/* NOTE_STAYS: it has left since, or ended */
	char reason[PLACE_REASON_MAX];
};

/*
 * Keep a decision about a session; the last LEDGER_NOTES_MAX are kept, and of
 * NOTE_SHOWN the last one, in the place of the one before.
 */
#define LEDGER_NOTES_MAX 8
void ledger_note(struct ledger *, unsigned session, unsigned device,
    enum ledger_what, int64_t at, const char *reason);

/*
 * Why a session has not left a device, by its last note of that since some
 * time, as long as it has contexts there; NULL: nobody has said.
 */
const char *ledger_stays(const struct ledger *, unsigned session,
    unsigned device, int64_t since);

/* A context was to leave the device; the more, the later; 0: never. */
void ledger_order(struct ledger *, unsigned session, unsigned device);
uint64_t ledger_ordered(const struct ledger *, unsigned session,
    unsigned device);

/* They, the oldest first, valid until the next call; how many. */
unsigned ledger_notes(const struct ledger *, unsigned session,
    const struct ledger_note **);

/* The next higher number of a session after this one; 0: there is none. */
unsigned ledger_next(const struct ledger *, unsigned session);

/* The tenant of a session; "" where there is no such session. */
const char *ledger_tenant(const struct ledger *, unsigned session);

/* Sessions of a tenant; NULL: of all. */
unsigned ledger_count(const struct ledger *, const char *tenant);

#endif
