/* SPDX-License-Identifier: ISC */
/*
 * transfer_private - what transfer.c (the list, and bodies from the host) and
 * transfer_out.c (bodies to the host) share.
 */
#ifndef VGPU_ICD_TRANSFER_PRIVATE_H
#define VGPU_ICD_TRANSFER_PRIVATE_H

#include <sys/queue.h>

#include "icd-vgpu/transfer.h"

struct transfer {
	TAILQ_ENTRY(transfer) entry;
	uint64_t id;
	struct layout layout;
	uint64_t total;
	uint64_t landed;
	uint8_t *place;		/* in the arena, where it will be put */
	bool window;		/* it is copied when the host says so: */
	struct layout inside;	/* between layout and this one */
	bool inbound;
	bool busy;		/* a thread is sending it */
	struct event *event;	/* a use; NULL for creations */
	struct object *held;	/* a use; may be NULL */
};

/* A new one in the list; event may be NULL.  NULL: no memory. */
struct transfer *transfer_new(const struct layout *, struct event *,
    bool inbound);

/* With the lock held; NULL: it is over. */
struct transfer *transfer_find(uint64_t id);

/*
 * The caller is the one that carries it out, if it may be; the lock must not be
 * held.  NULL: it may not, another thread does, or it is over.
 */
struct transfer *transfer_take(uint64_t id,
    bool (*may)(const struct transfer *));

/* Take it off the list; the lock must not be held.  NULL: none. */
void transfer_free(struct transfer *);

#endif
