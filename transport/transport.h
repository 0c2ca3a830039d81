/* SPDX-License-Identifier: ISC */
/*
 * transport - a stream of bytes to a peer whose identity is known.
 *
 * One small table of operations; tls, local, vsock and pair fill it in.  A
 * transport knows nothing of frames (link does), and never blocks: a caller
 * that has to wait polls transport_fd.
 *
 * One thread at a time may be inside a transport; link sees to that.
 */
#ifndef VGPU_TRANSPORT_TRANSPORT_H
#define VGPU_TRANSPORT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct transport;

#define TRANSPORT_TOKEN_LEN 32
#define TRANSPORT_DIGEST_LEN 32
#define TRANSPORT_NAME_MAX 256	/* a peer's name, with its NUL */

enum transport_want { TRANSPORT_WANT_READ, TRANSPORT_WANT_WRITE };

struct transport_ops {
	const char *name;	/* "tls", "local", "pair" */

	/*
	 * Go on with the handshake; before VGPU_OK nothing else but close, fd
	 * and peer may be called.  VGPU_EAGAIN: poll for *want and call again.
	 * VGPU_EAUTH: one side did not accept the other's identity.  Anything
	 * else: the peer is gone, or speaks something else.
	 */
	enum vgpu_err (*handshake)(struct transport *,
	    enum transport_want *want, struct err_text *);

	/*
	 * Read at most n bytes, at least one; *got says how many.
	 * VGPU_EAGAIN: none now.  VGPU_ECLOSED: the peer closed in order, or
	 * the connection broke.  VGPU_ETLS: the bytes are not valid TLS.
	 */
	enum vgpu_err (*read)(struct transport *, void *, size_t n,
	    size_t *got, struct err_text *);

	/*
	 * Write at most n bytes; *put says how many were taken.
	 * VGPU_EAGAIN: none now.  A transport that encrypts may take more than
	 * the kernel had room for: what it still holds goes out by flush.
	 */
	enum vgpu_err (*write)(struct transport *, const void *, size_t n,
	    size_t *put, struct err_text *);

	/*
	 * Push out what write took.  VGPU_EAGAIN: some is left, so call again
	 * when the descriptor is writable.
	 */
	enum vgpu_err (*flush)(struct transport *, struct err_text *);

	/* The descriptor to poll. */
	int (*fd)(struct transport *);

	/* True when read would return bytes though the descriptor is quiet. */
	bool (*pending)(struct transport *);

	/*
	 * A secret that both ends of this connection know and nobody else
	 * (RFC 8446, 7.5, for TLS), from which a session's further lanes prove
	 * that they belong to it.
	 */
	enum vgpu_err (*token)(struct transport *,
	    uint8_t out[TRANSPORT_TOKEN_LEN], struct err_text *);

	/* The name in the peer's certificate, or of its user. */
	const char *(*peer)(struct transport *);

	/*
	 * What tells whether two peers are the same: of the certificate, or
	 * of the user.
	 */
	enum vgpu_err (*digest)(struct transport *,
	    uint8_t out[TRANSPORT_DIGEST_LEN], struct err_text *);

	/*
	 * Between processes of one machine only, else NULL.  send_fd gives the
	 * peer a copy of a descriptor, along with the next bytes written;
	 * VGPU_EAGAIN: too many wait already.  take_fd returns the oldest one
	 * that has arrived with what was read, now the caller's; -1: none.
	 */
	enum vgpu_err (*send_fd)(struct transport *, int fd,
	    struct err_text *);
	int (*take_fd)(struct transport *);

	/* Free it; orderly tells the peer first, where that can't block. */
	void (*close)(struct transport *, bool orderly);
};

/* Every transport's own struct begins with this. */
struct transport {
	const struct transport_ops *ops;
};

/* The whole handshake, polling.  VGPU_ETIME: not done at the deadline. */
enum vgpu_err transport_handshake_wait(struct transport *, int64_t deadline,
    struct err_text *);

#endif
