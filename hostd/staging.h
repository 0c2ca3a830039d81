/* SPDX-License-Identifier: ISC */
/*
 * staging - bodies between the data lane and the vendor.
 *
 * A staging is memory that a vendor's command reads or writes while the body
 * travels.  One on its way in is filled from the data lane; the command waits
 * for it behind a user event (its gate), so that neither the loop nor the
 * queue's other users wait for the network.  One on its way out is sent when
 * its command is complete, by the sender thread where it is long.
 *
 * Eager bodies are sent by the client unasked, within the credit it got at
 * hello.  Others are pulled: at once while memory is plenty, else when the
 * command could run, so that a write behind an event that nobody sets can
 * neither block others nor use up the host's memory.
 */
#ifndef VGPU_HOSTD_STAGING_H
#define VGPU_HOSTD_STAGING_H

#include "hostd/serve.h"

struct staging {
	TAILQ_ENTRY(staging) entry;
	uint64_t transfer;	/* 0: the body came with its message */
	uint8_t *data;
	size_t size;
	size_t room;		/* bytes allocated at data */
	size_t landed;
	bool in;
	bool borrowed;		/* data is not ours to free */
	bool in_arena;		/* data is, transfer says where */
	bool credit;		/* tell the client when it is free again */
	bool resume;		/* the control lane waits for it */
	bool listed;		/* expected on the data lane */
	bool shut;		/* its gate is counted as shut; see dispatch.h */
	bool abandoned;		/* its command has failed before it was there */
	cl_event gate;		/* set when all has landed or left; may be NULL */
	/* Of one whose place is in a buffer; see direct.h. */
	cl_mem mem;		/* NULL: not such a one */
	uint8_t *place;
	bool watched;		/* its map is not complete yet */
	bool ready;		/* it is, and place may be used */
	bool held;		/* the data lane waits for that */
	bool whole;		/* all has landed elsewhere */
	bool lost;		/* its map has failed: it goes nowhere */
};

enum vgpu_err staging_open(struct serve *, struct err_text *);
/* The data lane is there. */
void staging_start_sender(struct serve *);

/* Memory for a body; NULL: none left.  Loop thread. */
struct staging *staging_new(struct serve *, uint64_t transfer, size_t size,
    bool in);

/* A body that lies elsewhere and is only sent. */
struct staging *staging_borrow(struct serve *, uint64_t transfer, void *,
    size_t size);

/*
 * A body that is to land in a buffer's memory: its place is set by the caller,
 * and staging_mapped is called in any thread when it may be used.
 */
struct staging *staging_direct(struct serve *, uint64_t transfer, cl_mem,
    size_t size);
void staging_mapped(struct serve *, void *staging, cl_int status);

/*
 * One in the arena, which the client has filled, or will empty; NULL: that is
 * no place, or no memory.
 */
struct staging *staging_place(struct serve *, uint64_t transfer, size_t size,
    bool in);

/*
 * Give it back.  One whose body may still arrive is kept, to absorb it, and
 * freed then.  Any thread.
 */
void staging_free(struct serve *, struct staging *);

/* Expect st's body on the data lane from now on. */
void staging_expect(struct serve *, struct staging *);

/*
 * Nobody will take the body of this transfer, which comes unasked: let it pass,
 * so that what follows it on the data lane is not held up.  Loop thread.
 */
void staging_absorb(struct serve *, uint64_t transfer);

/* The one that is expected or has landed for a creation, or NULL. */
struct staging *staging_find(struct serve *, uint64_t transfer);
/* Take it off the list of expected ones: nothing of it will arrive. */
void staging_remove(struct serve *, struct staging *);

/* It will not be asked for: its command fails with the status.  Any thread. */
void staging_give_up(struct serve *, struct staging *, cl_int status);

/* Ask the client for st's body. */
void staging_pull(struct serve *, const struct staging *);

/* Is there so little memory that bodies should come late? */
bool staging_scarce(struct serve *);

/*
 * Send st's body to the client and free st.  Short ones are queued on the
 * control lane, before what the caller queues next.  Any thread.
 */
void staging_send(struct serve *, struct staging *);

/*
 * Take a message of the data lane, so that the control lane gets its turn.
 * VGPU_EAGAIN: there is none, or it is paused.
 */
enum vgpu_err staging_receive(struct serve *, struct err_text *);

#endif
