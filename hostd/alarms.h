/* SPDX-License-Identifier: ISC */
/*
 * alarms - when to look for devices because sessions say that one has gone.
 *
 * A vendor's CL_DEVICE_NOT_AVAILABLE is the first sign of a lost device; but a
 * session may say so at any time, and each look asks all vendors.  So there is
 * some time between two looks, and a tenant whose alarm was false is not
 * listened to for a while, longer each time.  Others are.
 *
 * Only names and numbers: it knows no clock (times are in ms), process or
 * device.
 */
#ifndef VGPU_HOSTD_ALARMS_H
#define VGPU_HOSTD_ALARMS_H

#include <stdbool.h>
#include <stdint.h>

#include "transport/transport.h"

#define ALARMS_PAUSE_MS 5000	/* between the beginnings of two looks */
#define ALARMS_DEAF_MS 30000	/* after a false alarm; then twice as long */
#define ALARMS_DOUBLINGS 6
#define ALARMS_TENANTS_MAX 64

struct alarm {
	char tenant[TRANSPORT_NAME_MAX];
	bool raised;		/* there was no look since */
	bool looked;		/* one for it is under way */
	unsigned false_ones;	/* running */
	int64_t deaf_until;
};

/* Zeroed at first. */
struct alarms {
	struct alarm alarm[ALARMS_TENANTS_MAX];
	unsigned count;
	int64_t next;		/* not before that */
};

/*
 * A tenant's session says so.  False: nothing comes of it, as one of the
 * tenant's did before, or it is not listened to.
 */
bool alarms_raise(struct alarms *, const char *tenant, int64_t now);

/* Is a look wanted?  Then not before *at. */
bool alarms_want(const struct alarms *, int64_t *at);

/* A look begins because of them. */
void alarms_begin(struct alarms *, int64_t now);

/* A look has ended; were devices found to have changed, or was it no use? */
void alarms_end(struct alarms *, bool changed, int64_t now);

#endif
