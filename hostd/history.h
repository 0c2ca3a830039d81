/* SPDX-License-Identifier: ISC */
/*
 * history - what tenants' programs took when they ran, for the estimates of
 * the next placement.
 *
 * A device has to be chosen before the program that will run there is known,
 * so what a session will do is taken to be what its tenant's sessions did
 * lately: a mix of launches by class (usage.h).  How long a class takes on a
 * device is kept by device, so that what a long run took on one and a short
 * one on another compare; where it is not known it is taken from another device,
 * by what the two say of their speed.
 *
 * A tenant's numbers come from its sessions, which it may have taken over, and
 * serve for its own estimates and those of how long it will use a device.
 * Room is bounded: what was not used for longest makes place.
 */
#ifndef VGPU_HOSTD_HISTORY_H
#define VGPU_HOSTD_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "hostd/usage.h"

#define HISTORY_TENANTS 256
#define HISTORY_MIX 16		/* classes of a tenant's usual run */
#define HISTORY_TIMES 64	/* a tenant's, by class and device */

struct history;

/* What a device says of its speed (place.h); 0: there is no such device. */
struct history_speeds {
	uint64_t (*of)(const void *arg, unsigned device);
	const void *arg;
};

struct history *history_new(void);
void history_free(struct history *);

/* A session of a tenant has ended, and did this. */
void history_learn(struct history *, const char *tenant, const struct usage *,
    const struct history_speeds *);

/* Fill in a new session's page what its classes took. */
void history_teach(struct history *, const char *tenant, struct usage *);

/*
 * Nanoseconds that the tenant's usual run takes on a device of that speed;
 * 0: nothing is known of it.
 */
uint64_t history_run_ns(const struct history *, const char *tenant,
    unsigned device, uint64_t speed);

/* Bytes that it uses on a device, and nanoseconds to build its programs. */
uint64_t history_memory(const struct history *, const char *tenant);
uint64_t history_build_ns(const struct history *, const char *tenant);

/* Whether its programs were built for a device. */
bool history_has_built(const struct history *, const char *tenant,
    unsigned device);

/* The work (place.h) of a usual run of all tenants; 0: none ran yet. */
uint64_t history_work(const struct history *);

#endif
