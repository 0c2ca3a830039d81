/* SPDX-License-Identifier: ISC */
/*
 * staging_private - what staging.c (life, lists, gates), staging_in.c and
 * staging_out.c share.
 */
#ifndef VGPU_HOSTD_STAGING_PRIVATE_H
#define VGPU_HOSTD_STAGING_PRIVATE_H

#include "hostd/staging.h"

struct event;

struct transfers {
	TAILQ_HEAD(, staging) expected;
	/* The frame that is being received, the loop thread's. */
	uint64_t current;
	size_t at, left, frame;
	bool paused;		/* its staging is not known yet */
	/* The sender's queue. */
	TAILQ_HEAD(, staging) outbound;
	pthread_cond_t wake;
	struct event *trim;	/* gives back memory that is not used */
};

/* That much of the client's credit is free again. */
void staging_send_credit(struct serve *, size_t);

/* Nothing more of it will arrive: let its command go, or free it. */
void staging_open_gate(struct serve *, struct staging *, cl_int status);

#endif
