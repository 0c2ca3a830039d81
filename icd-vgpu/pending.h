/* SPDX-License-Identifier: ISC */
/*
 * pending - calls whose reply has not come.
 *
 * One that a thread waits for lives on that thread's stack and gets the
 * reply's bytes; one with a continuation lives in the heap and is run.
 */
#ifndef VGPU_ICD_PENDING_H
#define VGPU_ICD_PENDING_H

#include "icd-vgpu/call.h"
#include "icd-vgpu/client.h"

struct pending {
	TAILQ_ENTRY(pending) entry;
	const struct message *message;
	uint64_t serial;
	struct buf *body;	/* where the waiter wants the reply; or NULL */
	int64_t status;		/* then this is all of it that is kept */
	call_then_function *then;
	void *arg;
	bool done;
	bool lost;		/* no reply will come */
};

/*
 * A reply has arrived.  VGPU_EPROTO: nobody asked, or it does not decode.
 * The body need only live for the call.
 */
enum vgpu_err pending_reply(struct client *, const struct frame *,
    struct err_text *);

/* Take p off the list if it is still there. */
void pending_remove(struct client *, struct pending *);

/* The connection is gone: end them all. */
void pending_lose(struct client *);

#endif
