/* SPDX-License-Identifier: ISC */
/*
 * parent_lost - looks for devices when sessions say that one has gone.
 */
#include "hostd/parent_private.h"

#include <event2/event.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/child.h"

#define BUSY_MS 500	/* until a look that is under way may have ended */

static void
arm(struct parent *p, int64_t ms)
{
	const struct timeval t = { ms / 1000, ms % 1000 * 1000 };

	if (p->base != NULL && !evtimer_pending(p->alarm, NULL))
		evtimer_add(p->alarm, &t);
}

static void
arm_if_wanted(struct parent *p)
{
	const int64_t now = clock_ms();
	int64_t at;

	if (alarms_want(&p->alarms, &at))
		arm(p, at > now ? at - now : 0);
}

void
parent_lost(void *parent, struct child *c, unsigned device)
{
	struct parent *p = parent;
	const unsigned session = child_session(c);

	/* Of what has left already its sessions have been told. */
	if (ledger_mine(p->ledger, session, device) == 0 ||
	    pool_find(p->now->pool, device) == NULL ||
	    !alarms_raise(&p->alarms, ledger_tenant(p->ledger, session),
	    clock_ms()))
		return;
	log_info("session %u: device %u is not available, says its vendor; "
	    "looking for devices", session, device);
	arm_if_wanted(p);
}

void
parent_on_alarm(int fd, short what, void *arg)
{
	struct parent *p = arg;

	(void)fd;
	(void)what;
	/* One that began before may have seen the device. */
	if (p->survey != NULL) {
		arm(p, BUSY_MS);
		return;
	}
	alarms_begin(&p->alarms, clock_ms());
	if (parent_rescan(p) != PARENT_BEGUN)
		parent_looked(p, true);
}

void
parent_looked(struct parent *p, bool changed)
{
	alarms_end(&p->alarms, changed, clock_ms());
	arm_if_wanted(p);
}
