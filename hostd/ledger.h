/* SPDX-License-Identifier: ISC */
/*
 * ledger - which tenant has which sessions, and which devices they use.
 *
 * Only numbers and names: it decides who may have one more session and in
 * which order devices are offered, and knows no process and no socket.
 */
#ifndef VGPU_HOSTD_LEDGER_H
#define VGPU_HOSTD_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "hostd/conf.h"
#include "hostd/pool.h"

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

/*
 * A session begins (+1) or ceases (-1) to use a device.  VGPU_EPROTO: it is
 * not so: no such device or session, or more ceased than begun.
 */
enum vgpu_err ledger_use(struct ledger *, unsigned session, unsigned device,
    int change);

/* How many sessions use each of the n devices. */
void ledger_loads(const struct ledger *, unsigned *out, unsigned n);

/*
 * The pool has changed: sessions so far use devices of the old one, which are
 * not counted any more.
 */
void ledger_new_pool(struct ledger *);

/* Sessions of a tenant; NULL: of all. */
unsigned ledger_count(const struct ledger *, const char *tenant);

/*
 * The devices that a tenant may use, in the order to offer them: numbers to
 * out (room for all of the pool), how many is returned.
 */
unsigned ledger_order(const struct ledger *, const struct pool *,
    const struct conf_tenant *, unsigned *out);

#endif
