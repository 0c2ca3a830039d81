/* SPDX-License-Identifier: ISC */
/*
 * enqueue - what commands with bodies have in common: ends of calls that send
 * or receive, and the checks of ranges.
 */
#ifndef VGPU_ICD_ENQUEUE_H
#define VGPU_ICD_ENQUEUE_H

#include "icd-vgpu/mem.h"
#include "icd-vgpu/command.h"
#include "icd-vgpu/transfer.h"

/* Three sizes as a message has them. */
struct triple {
	uint64_t v[3];
};

static inline struct triple
triple(const size_t *p)
{
	return (struct triple){ { p[0], p[1], p[2] } };
}

static inline struct span
triple_span(const struct triple *t)
{
	return (struct span){ t->v, 3 };
}

/*
 * Send a command whose body comes back into to.  *transfer, in the message, is
 * set first.  keep (may be NULL) lives until the body is there.
 */
cl_int enqueue_read(struct command *, const struct message *, const void *msg,
    uint64_t *transfer, const struct layout *to, struct mem *keep);

/*
 * Send a command with a body; *data and *transfer, in the message, are set
 * first.  A blocking command waits, so the body may be fetched from the
 * program's memory; for others it may be until the command is complete.
 */
cl_int enqueue_write(struct command *, const struct message *, const void *msg,
    struct span *data, uint64_t *transfer, const struct layout *from,
    struct mem *keep);

/*
 * Send the creation of an object whose content is at from (NULL: *data and
 * *transfer say already what there is), and confirm it, if asked, before the
 * program goes on.  *told (may be NULL): the host has heard of the object, also
 * where it refused to make it.
 */
cl_int enqueue_creation(const struct message *, const void *msg,
    struct span *data, uint64_t *transfer, const struct layout *from,
    bool confirm, bool *told);

/* Are creations of this size confirmed? */
bool creation_is_large(const struct context *, uint64_t size);

/* CL_INVALID_VALUE when n bytes from offset on are not in the object. */
cl_int check_range(const struct mem *, size_t offset, size_t n);

/* CL_INVALID_VALUE for a fill pattern of another size than 1, 2, ... 128. */
cl_int check_pattern(const void *pattern, size_t size);

#endif
