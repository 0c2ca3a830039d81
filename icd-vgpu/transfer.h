/* SPDX-License-Identifier: ISC */
/*
 * transfer - the bodies of reads, writes and maps.
 *
 * On the wire a body is packed: rows without gaps.  A layout says where its
 * rows lie in the program's memory.  Small bodies travel inside their message;
 * larger ones go through the data lane, at once while the host has credit for
 * them, else when the host pulls them: then the program's memory has to stay
 * as it is until the command is complete, as OpenCL demands anyway.
 *
 * Between processes of one machine they lie in the arena instead (arena.h).
 *
 * What arrives is written to its place row by row, without a copy.  A command
 * is not complete for the program before its body has landed, whatever the
 * control lane says.
 */
#ifndef VGPU_ICD_TRANSFER_H
#define VGPU_ICD_TRANSFER_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "icd-vgpu/layout.h"
#include "protocol/messages.h"

struct event;
struct object;
struct queue;

/*
 * A body on its way to the host: data goes into the message, transfer too.
 * Open it before the message is built, send after the message is queued.
 */
struct payload {
	struct span data;
	uint64_t transfer;	/* 0: all is in data */
	uint8_t *packed;	/* what was gathered, or NULL */
	uint8_t *place;		/* or where in the arena; the host's once sent */
	struct transfer *t;
	bool eager;
};

/*
 * copy: the program may change its memory as soon as the call returns, so
 * the body can't wait for a pull.  event (may be NULL) is the command's.
 * CL_OUT_OF_HOST_MEMORY, CL_DEVICE_NOT_AVAILABLE.
 */
cl_int payload_open(struct payload *, const struct layout *,
    struct event *event, bool copy);
void payload_send(struct payload *);
/* The message was not sent. */
void payload_drop(struct payload *);

/* Expect a body from the host; *id is for the message. */
cl_int transfer_expect(const struct layout *, struct event *event,
    uint64_t *id);
/* The message was not sent, or its command has failed. */
void transfer_forget(uint64_t id);

/*
 * Keep an object, whose memory it uses, alive while the transfer lasts; for
 * an id of 0 or a transfer that is over, nothing.
 */
void transfer_hold(uint64_t id, struct object *);

/*
 * A body that is copied to or from its place in a buffer, inside, when the host
 * says that the event's command could run.
 */
cl_int transfer_window(const struct layout *inside, const struct layout *,
    struct event *event, bool inbound, uint64_t *id);
/* The host says so, or that a body lies in the arena. */
void transfer_ready(uint64_t id);

/* A number that no transfer of this process has had. */
uint64_t transfer_number(void);

/* Would a body of n bytes travel in the data lane? */
bool transfer_is_bulk(uint64_t n);

/* For incoming*.c: where bytes go (NULL: nowhere), and that they are there. */
void *transfer_place(uint64_t id, uint64_t at, size_t *room);
void transfer_landed(uint64_t id, size_t n);
void transfer_pulled(uint64_t id);

/* With the lock held: is a body missing of this command (of an in-order queue:
 * or one before it)? */
bool transfer_missing(const struct queue *, uint64_t serial, bool in_order);

/* With the lock held: the event has ended; forget what it will not need. */
void transfer_end_event(const struct event *, bool failed);

#endif
