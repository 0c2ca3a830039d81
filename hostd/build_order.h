/* SPDX-License-Identifier: ISC */
/*
 * build_order - a session's request to have a build made again, for its binary.
 *
 * With some vendors a binary costs as much as the program's whole first run.
 * A session must not be slowed by that, and may end at any time; so the parent
 * has it done by a process of its own, when there is time (builders.h).
 */
#ifndef VGPU_HOSTD_BUILD_ORDER_H
#define VGPU_HOSTD_BUILD_ORDER_H

#include "common/infoset.h"
#include "hostd/build_job.h"

/* An order is an infoset of these, in a file in memory. */
enum order_part {
	ORDER_ICD = 1,		/* text */
	ORDER_PLATFORM,		/* u32 */
	ORDER_DEVICE,		/* u32 */
	ORDER_OPTIONS,		/* text, as for the vendor */
	ORDER_IL,		/* u32: the code is no source */
	ORDER_CODE,
	ORDER_CONSTANTS,	/* infoset, see program_code.h */
	ORDER_KEY,
	ORDER_ENTRY,		/* infoset of reuse.h, to be completed */
};

/* Order the binary for an entry of a job that was built. */
void build_order_send(const struct build_job *, const struct infoset *entry,
    const char *options);

#endif
