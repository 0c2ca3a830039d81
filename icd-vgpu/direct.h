/* SPDX-License-Identifier: ISC */
/*
 * direct - bodies of buffers that lie in the arena, moved by the client.
 *
 * Reading and writing such a buffer is a copy here, once the command could run
 * and before anything that follows it in its queue does.
 *
 * Where the queue is known to be empty, and what the command waits for has
 * ended, that is now; the host hears of it only if the program wants an event.
 * A blocking command in an in-order queue has its place in the order, is
 * awaited, and then the copy is made by the thread that waited.  For all others
 * the host opens a window (hostd/window.h).
 *
 * While a thread copies, others may send what has to come after.  So a copy
 * has a window here, too, and whoever sends a command to a queue with such
 * windows asks the host for a gate first, which opens when the windows that it
 * found are closed.
 */
#ifndef VGPU_ICD_DIRECT_H
#define VGPU_ICD_DIRECT_H

#include "icd-vgpu/command.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/transfer.h"

/* A body: where it lies in a buffer and in the program's memory. */
struct direct {
	struct layout inside;	/* base NULL: not in the arena */
	struct layout program;
	bool read;
	/* Of a command that is awaited; under its queue's lock. */
	LIST_ENTRY(direct) entry;
	struct gate *gate;	/* who waits for it, or NULL */
};

/* n bytes of a buffer from offset on. */
struct layout direct_flat(struct mem *, size_t offset, size_t n);

/*
 * enqueue_read and enqueue_write for a buffer, of which inside is the part: by
 * the ways above where it lies in the arena.
 */
cl_int direct_read(struct command *, const struct message *, const void *msg,
    uint64_t *transfer, struct mem *, const struct layout *inside,
    const struct layout *to, struct mem *keep);
cl_int direct_write(struct command *, const struct message *, const void *msg,
    struct span *data, uint64_t *transfer, struct mem *,
    const struct layout *inside, const struct layout *from, struct mem *keep);

/*
 * A command that moves nothing, as the map of a buffer in the arena: sent only
 * where somebody can tell.
 */
cl_int direct_order(struct command *, const struct message *, const void *msg);

/*
 * For command.c, the queue's lock held: before a command is sent, and after
 * one with a body was; and without the lock, when it was awaited.
 */
cl_int direct_guard(struct queue *);
void direct_open(struct queue *, struct direct *);
void direct_end(struct queue *, struct direct *, cl_int status);

#endif
