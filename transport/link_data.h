/* SPDX-License-Identifier: ISC */
/*
 * link_data - a piece of a body as a data message, in the spelling that is
 * the fastest for this link (common/coding.h).
 */
#ifndef VGPU_TRANSPORT_LINK_DATA_H
#define VGPU_TRANSPORT_LINK_DATA_H

#include "common/coding.h"
#include "protocol/messages.h"
#include "transport/link.h"

/*
 * Queue and write the m->size bytes at p, at most CODING_MAX, and return when
 * all were taken.  coding is NULL for a peer that knows no spellings.  Errors
 * as link_send_body.
 */
enum vgpu_err link_send_data(struct link *, struct coding *,
    const struct msg_data *m, const void *p, int64_t deadline,
    struct err_text *);

/* The same for a short piece, which is copied, and nothing is written yet. */
enum vgpu_err link_queue_data(struct link *, struct coding *,
    const struct msg_data *m, const void *p);

#endif
