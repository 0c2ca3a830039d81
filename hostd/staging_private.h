/* SPDX-License-Identifier: ISC */
/*
 * staging_private - what staging.c (life, lists, gates), staging_in.c and
 * staging_out.c share.
 */
#ifndef VGPU_HOSTD_STAGING_PRIVATE_H
#define VGPU_HOSTD_STAGING_PRIVATE_H

#include "common/coding.h"
#include "hostd/staging.h"

struct event;

struct transfers {
	TAILQ_HEAD(, staging) expected;
	/* The frame that is being received, the loop thread's. */
	uint64_t current;
	size_t at, left, frame;
	struct coded coded;	/* how it is spelled */
	bool paused;		/* its staging, or its place, is not known yet */
	bool late;		/* its place is not waited for any more */
	struct event *grace;	/* until when it is */
	/* The sender's queue. */
	TAILQ_HEAD(, staging) outbound;
	pthread_cond_t wake;
	struct coding *coding;
	struct event *trim;	/* gives back memory that is not used */
};

/* That much of the client's credit is free again. */
void staging_send_credit(struct serve *, size_t);

/* One of a buffer lands in staging memory after all; false: there is none. */
bool staging_spill(struct serve *, struct staging *);
/* Copy what has landed there to its place, and let the command go. */
void staging_land(struct serve *, struct staging *);
/* The data lane need not be held up any longer. */
void staging_receive_again(struct serve *, void *);

/* Nothing more of it will arrive: let its command go, or free it. */
void staging_open_gate(struct serve *, struct staging *, cl_int status);

#endif
