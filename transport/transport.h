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
#define TRANSPORT_NAME_MAX 256	/* a peer's name, with its NUL */

struct transport_ops {
	const char *name;	/* "tls", "local", "pair" */

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

	/* Free it; orderly tells the peer first, where that can't block. */
	void (*close)(struct transport *, bool orderly);
};

/* Every transport's own struct begins with this. */
struct transport {
	const struct transport_ops *ops;
};

#endif
