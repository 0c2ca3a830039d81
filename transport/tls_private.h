/* SPDX-License-Identifier: ISC */
/*
 * tls_private - what tls.c (making, handshake) and tls_stream.c share.
 *
 * The program around us may use OpenSSL in the same thread.  So each use of it
 * stands between tls_enter and tls_leave, which leave its error queue as it
 * was, and SSL_get_error, which reads all of that queue, is not called.
 */
#ifndef VGPU_TRANSPORT_TLS_PRIVATE_H
#define VGPU_TRANSPORT_TLS_PRIVATE_H

#include <stdbool.h>

#include "transport/tls.h"
#include "transport/tls_ctx_private.h"
#include "transport/tls_io.h"

struct tls {
	struct transport transport;
	struct tls_ctx *ctx;
	SSL *ssl;
	struct tls_io io;
	unsigned long before; /* last in OpenSSL's queue at tls_enter */
	size_t step;	/* most bytes of the next write; 0: after a pause */
	bool shaken;	/* OpenSSL has done the handshake */
	bool done;	/* and the peer is accepted, and all of it is sent */
	uint64_t rekey_every, rekey_in; /* records */
	enum vgpu_err failed;		/* any use of ssl is over */
	struct err_text failed_text;
	enum vgpu_err refused;		/* the peer's certificate */
	struct err_text refused_text;
	char hostname[TRANSPORT_NAME_MAX]; /* wanted by a client */
	char peer[TRANSPORT_NAME_MAX];
};

static inline struct tls *
tls_of(struct transport *t)
{
	return (struct tls *)t;
}

extern const struct transport_ops tls_ops;

void tls_enter(struct tls *);
void tls_leave(void);

/* Remember why the connection is over, and say it; returns e. */
enum vgpu_err tls_fail(struct tls *, enum vgpu_err e,
    const struct err_text *, struct err_text *err);

/* VGPU_OK, or why the connection is over. */
enum vgpu_err tls_failed(const struct tls *, struct err_text *err);

/*
 * After an OpenSSL call that gave nothing: VGPU_EAGAIN, or why not, which is
 * remembered.
 */
enum vgpu_err tls_nothing(struct tls *, struct err_text *);

#endif
