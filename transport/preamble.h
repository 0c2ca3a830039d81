/* SPDX-License-Identifier: ISC */
/*
 * preamble - the first 16 bytes of every connection, from the client, before
 * TLS and so in the clear: eight bytes of magic, and the number of the session
 * that this lane wants to join (little-endian; 0 for a new session).
 *
 * It lets the host give the connection to the right process without decoding
 * anything else.  It proves nothing: joining takes the token (tls.h).
 */
#ifndef VGPU_TRANSPORT_PREAMBLE_H
#define VGPU_TRANSPORT_PREAMBLE_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define PREAMBLE_LEN 16

void preamble_encode(uint8_t out[PREAMBLE_LEN], uint64_t session);

/*
 * Look at the first n bytes of a connection.  VGPU_OK: *session is set.
 * VGPU_EAGAIN: right so far, but fewer than PREAMBLE_LEN.  VGPU_EPROTO: err
 * says what it looks like instead.
 */
enum vgpu_err preamble_check(const uint8_t *, size_t n, uint64_t *session,
    struct err_text *);

/*
 * Send a preamble on a fresh stream socket; it leaves with the bytes that
 * follow.  VGPU_ECLOSED: the connection is gone.
 */
enum vgpu_err preamble_send(int fd, uint64_t session, struct err_text *);

#endif
