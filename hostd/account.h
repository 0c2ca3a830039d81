/* SPDX-License-Identifier: ISC */
/*
 * account - events that the client is to be told of together.
 *
 * They are found in any order, while the list is walked for what they waited
 * for, and told in the order in which they were made: what an event waited for
 * is always older.
 */
#ifndef VGPU_HOSTD_ACCOUNT_H
#define VGPU_HOSTD_ACCOUNT_H

#include "hostd/object.h"

/* Through vevent.next.  The references are its user's. */
struct account {
	struct vevent *first, **end;
};

void account_init(struct account *);

/* At the end; the event is on no account. */
void account_add(struct account *, struct vevent *);

/*
 * The list by vevent.serial, in O(n log n); the account is not to be used any
 * more.
 */
struct vevent *account_sorted(struct account *);

#endif
