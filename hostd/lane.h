/* SPDX-License-Identifier: ISC */
/*
 * lane - further connections of a session's client, until they are proven.
 *
 * Each does its own handshake, in the session's loop, while the session works.
 * Only one with the very certificate of the session's first connection, or of
 * the same user, gets to the serving part, which then asks for the session's
 * token.
 */
#ifndef VGPU_HOSTD_LANE_H
#define VGPU_HOSTD_LANE_H

#include <stdint.h>

#include "common/err.h"
#include "transport/tls.h"

struct event_base;

struct lane_rules {
	struct event_base *base;
	struct tls_ctx *tls;	/* NULL: there are no certificates */
	unsigned timeout_ms;
	uint8_t digest[TRANSPORT_DIGEST_LEN];	/* of the client's identity */
	void (*proven)(struct transport *);	/* takes it */
	void (*done)(void);	/* called once for each lane, good or bad */
};

/*
 * A host's end on a connected socket, local or TLS by what the socket is.
 * Takes fd on success.  VGPU_ETLS: TLS without certificates.
 */
enum vgpu_err lane_transport(struct transport **, struct tls_ctx *, int fd,
    struct err_text *);

/* Begin with a connection; takes fd.  The rules are borrowed for good. */
void lane_start(const struct lane_rules *, int fd);

#endif
