/* SPDX-License-Identifier: ISC */
/*
 * balance - is the load so uneven that a context should move?
 *
 * Only numbers: it knows no clock, no process and no device, and is asked once
 * in each interval.  A move costs a program a pause, so it takes much: of two
 * alike devices on different cards one has to be as crowded as twice the other
 * and what would come to it, in two looks running.  After a move nothing is
 * moved for some looks, as its effect shows late.  Since what moves makes its
 * new device no more crowded than its old one was, nothing is moved to and fro.
 */
#ifndef VGPU_HOSTD_BALANCE_H
#define VGPU_HOSTD_BALANCE_H

#include <stdbool.h>

#define BALANCE_LOOKS 2		/* in which it has to be so */
#define BALANCE_REST 4		/* looks without a move after one */

struct balance_device {
	unsigned device;	/* its number */
	unsigned class;		/* equal: alike */
	unsigned card;		/* equal: the same hardware */
	unsigned working;	/* sessions that did something there lately */
	bool shut;		/* nothing new may run there */
};

struct balance_pair {
	unsigned from, to;	/* devices */
};

/* Zeroed at first. */
struct balance {
	struct balance_pair last;
	unsigned looks;		/* in which last was found running */
	unsigned rest;
};

/* One more interval has passed; true: a context should move so. */
bool balance_look(struct balance *, const struct balance_device *,
    unsigned n, struct balance_pair *);

#endif
