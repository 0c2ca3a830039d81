/* SPDX-License-Identifier: ISC */
/*
 * tls - a transport over TLS 1.3 on a connected stream socket.
 *
 * OpenSSL never touches the socket: its records are gathered in memory and
 * leave in large writes, without SIGPIPE and without waiting for more.  So
 * reading and writing never depend on each other.
 *
 * The client's preamble (preamble.h) comes before all this, in the clear.
 */
#ifndef VGPU_TRANSPORT_TLS_H
#define VGPU_TRANSPORT_TLS_H

#include <stdint.h>

#include "common/err.h"
#include "transport/tls_ctx.h"
#include "transport/transport.h"

/*
 * A client's end on a connected socket, to a host whose certificate must be
 * for hostname (a DNS name or numeric address).  Takes fd on success, and makes
 * it non-blocking, close-on-exec and quick to send.
 */
enum vgpu_err tls_new_client(struct transport **, struct tls_ctx *, int fd,
    const char *hostname, struct err_text *);

/* A host's end. */
enum vgpu_err tls_new_host(struct transport **, struct tls_ctx *, int fd,
    struct err_text *);

/*
 * Go on with the handshake without blocking; before VGPU_OK nothing else but
 * close may be called.  VGPU_EAGAIN: poll for *want and call again.
 * VGPU_EAUTH: one side did not accept the other's certificate.  VGPU_ETLS:
 * anything else, such as a peer that is gone or does not speak TLS.
 *
 * A host may refuse a client's certificate after the client's handshake is
 * done (RFC 8446, 4.4.2.4): the client's first read then gives VGPU_EAUTH.
 */
enum vgpu_err tls_handshake(struct transport *, enum transport_want *want,
    struct err_text *);

/* SHA-256 of the peer's certificate, to tell whether two are the same. */
enum vgpu_err tls_peer_digest(struct transport *,
    uint8_t out[TRANSPORT_DIGEST_LEN], struct err_text *);

/*
 * Change keys after each n records written, n > 0.  The default is well below
 * what one AES-GCM key may encrypt (RFC 8446, 5.5).
 */
void tls_set_rekey(struct transport *, uint64_t n);

#endif
