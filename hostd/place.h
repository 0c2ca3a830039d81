/* SPDX-License-Identifier: ISC */
/*
 * place - which device is to run what comes next.
 *
 * Only numbers go in and an order comes out: it knows no clock, no process and
 * no device, so a test can play a year of loads in a second.  What counts for
 * more than any policy is decided here: the kind of device, whether memory
 * suffices, and that the devices of one session are on different cards.  Among
 * equals in that, a policy's cost decides (place_policies.c has the table).
 *
 * Work is in units of which a device does speed in a second.
 */
#ifndef VGPU_HOSTD_PLACE_H
#define VGPU_HOSTD_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#define PLACE_REASON_MAX 160

struct place_device {
	unsigned number;	/* of two that are equal the lower one is first */
	unsigned rank;		/* its kind: a lower one is first, whatever else */
	uint64_t speed;		/* 0 counts as 1 */
	uint64_t queued_ns;	/* until what is known to be queued has run */
	uint64_t waiting;	/* work that others will bring, as far as one knows */
	uint64_t job_ns;	/* what the job takes there, learned; or 0 */
	unsigned users;		/* sessions on its card */
	unsigned here;		/* and on the device itself */
	unsigned mine;		/* contexts that this session has on its card */
	uint64_t free;		/* bytes of its memory that nobody has */
	bool built;		/* programs of this job have been built there */
	unsigned weight;	/* for "weighted"; 0: only if all others are, too */
	uint64_t turn;		/* for "round-robin": when it was last chosen */
};

struct place_job {
	uint64_t work;
	uint64_t memory;	/* bytes that it is known to need */
	uint64_t build_ns;	/* what building its programs again takes */
};

/* What a policy thinks of a device: of the first number that differs the lower. */
struct place_cost {
	uint64_t first, then;
};

struct place_policy {
	const char *name;	/* as in the configuration */
	const char *unit;	/* what its first number counts, for people */
	bool done;		/* which is place_done_ns */
	const char *rank;	/* what rank counts, for people */
	struct place_cost (*cost)(const struct place_device *,
	    const struct place_job *);
};

/* All of them, ended by one without name; the first is the default. */
extern const struct place_policy place_policies[];

/*
 * Where the administrator wants another order than a policy's, and what is told
 * of devices is nothing but that: rank and speed, or rank alone.
 */
extern const struct place_policy place_by_speed, place_by_pattern;

/* The policy of that name; NULL: there is none. */
const struct place_policy *place_policy(const char *name);

/* When a device would have done a job that it is given now, in nanoseconds. */
uint64_t place_done_ns(const struct place_device *, const struct place_job *);

/*
 * Order n devices, the best first: places in all go to out.  reason (may be
 * NULL) says why the first one is not the second.
 */
void place_order(const struct place_policy *, const struct place_device *all,
    unsigned n, const struct place_job *, unsigned *out,
    char reason[PLACE_REASON_MAX]);

#endif
