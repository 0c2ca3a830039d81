/* SPDX-License-Identifier: ISC */
/*
 * case - one line for each case, also when a case kills its process.
 *
 * The state is in memory that the parent and its children share: which case
 * runs, and which cases of the call have killed a child.  A new child goes
 * through its call once more, without lines up to the deadly case and without
 * that one.
 */
#ifndef VGPU_CONFORMANCE_CALLS_CASE_H
#define VGPU_CONFORMANCE_CALLS_CASE_H

#include <stdbool.h>
#include <stddef.h>

#define CASE_DEADLY 64		/* of one call */

struct case_state {
	unsigned index;		/* of the case in its call, from 1 */
	bool told;		/* the case has its line */
	char what[128];
	unsigned deadly[CASE_DEADLY], deadly_count;
	unsigned passed, failed, skipped;
};

/* In shared memory, zeroed; false: there is none. */
bool case_open(void);
extern struct case_state *case_state;
/* A case of more than this many seconds hangs. */
extern unsigned case_seconds;
/* In a child: the cases of this call are next. */
void case_call(const char *name);
/*
 * A child is dead, in the call of that name: tell of the case that killed it.
 * Is there more behind that case?
 */
bool case_killed(const char *name, const char *by);

#endif
