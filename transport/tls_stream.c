/* SPDX-License-Identifier: ISC */
#include "transport/tls_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "transport/tls_reason.h"

#define TOKEN_LABEL "EXPORTER-vgpu-lane"
#define WRITE_MAX ((size_t)256 << 10) /* gathered into one system call */
/*
 * The first after a pause are shorter, so that the peer can begin; then each
 * is twice as long.
 */
#define WRITE_MIN ((size_t)32 << 10)
#define DRAIN_MAX ((size_t)4 << 20)

/* --- errors --------------------------------------------------------------- */

void
tls_enter(struct tls *t)
{
	ERR_set_mark();
	t->before = ERR_peek_last_error();
}

void
tls_leave(void)
{
	ERR_pop_to_mark();
}

enum vgpu_err
tls_fail(struct tls *t, enum vgpu_err e, const struct err_text *text,
    struct err_text *err)
{
	t->failed = e;
	t->failed_text = *text;
	return tls_failed(t, err);
}

enum vgpu_err
tls_failed(const struct tls *t, struct err_text *err)
{
	if (t->failed != VGPU_OK && err != NULL)
		*err = t->failed_text;
	return t->failed;
}

enum vgpu_err
tls_nothing(struct tls *t, struct err_text *err)
{
	unsigned long last = ERR_peek_last_error();
	struct err_text text;
	enum vgpu_err e;

	if (t->io.dry && SSL_want_read(t->ssl))
		return VGPU_EAGAIN;
	if (t->refused != VGPU_OK) {
		e = t->refused;
		text = t->refused_text;
	} else if (last != 0 && last != t->before) {
		e = tls_reason_error(&text);
	} else if ((SSL_get_shutdown(t->ssl) & SSL_RECEIVED_SHUTDOWN) != 0) {
		e = err_set(&text, VGPU_ECLOSED,
		    "the peer closed the connection");
	} else if (t->io.eof || t->io.error != 0) {
		e = tls_io_error(&t->io, &text);
	} else {
		e = err_set(&text, VGPU_ETLS, "TLS failed without a reason");
	}
	(void)tls_io_flush(&t->io, NULL); /* an alert, while it can leave */
	return tls_fail(t, e, &text, err);
}

/* --- the table of operations ---------------------------------------------- */

/* Has something arrived that was not read, a part of a record perhaps? */
static bool
has_more(const struct tls *t)
{
	return SSL_has_pending(t->ssl) || buf_len(&t->io.in) > 0;
}

static enum vgpu_err
tls_read(struct transport *transport, void *p, size_t n, size_t *got,
    struct err_text *err)
{
	struct tls *t = tls_of(transport);
	enum vgpu_err e = VGPU_OK;
	size_t total = 0, one;

	if (t->failed != VGPU_OK)
		return tls_failed(t, err);
	tls_enter(t);
	t->io.dry = false;
	do {
		if (SSL_read_ex(t->ssl, (char *)p + total, n - total, &one) ==
		    1)
			total += one;
		else
			e = tls_nothing(t, total > 0 ? NULL : err);
	} while (e == VGPU_OK && total < n && has_more(t));
	tls_leave();
	if (buf_len(&t->io.out) > 0) /* the peer asked for new keys */
		(void)tls_io_flush(&t->io, NULL);
	if (total == 0)
		return e;
	*got = total;
	return VGPU_OK;
}

/* Encrypt up to n bytes. */
static enum vgpu_err
encrypt(struct tls *t, const void *p, size_t n, size_t *put,
    struct err_text *err)
{
	size_t total = 0, one;

	while (total < n) {
		if (SSL_write_ex(t->ssl, (const char *)p + total, n - total,
		    &one) != 1)
			return tls_nothing(t, err);
		total += one;
		if (--t->rekey_in > 0)
			continue;
		/* Sent with the next record. */
		if (SSL_key_update(t->ssl, SSL_KEY_UPDATE_NOT_REQUESTED) != 1)
			return tls_nothing(t, err);
		t->rekey_in = t->rekey_every;
	}
	*put = total;
	return VGPU_OK;
}

static enum vgpu_err
tls_write(struct transport *transport, const void *p, size_t n, size_t *put,
    struct err_text *err)
{
	struct tls *t = tls_of(transport);
	enum vgpu_err e;

	if (t->failed != VGPU_OK)
		return tls_failed(t, err);
	if ((e = tls_io_flush(&t->io, err)) != VGPU_OK)
		return e;
	if (t->step < WRITE_MIN)
		t->step = WRITE_MIN;
	tls_enter(t);
	e = encrypt(t, p, n < t->step ? n : t->step, put, err);
	tls_leave();
	if (n >= t->step && t->step < WRITE_MAX)
		t->step *= 2;
	if (e != VGPU_OK)
		return e;
	e = tls_io_flush(&t->io, err);
	return e == VGPU_EAGAIN ? VGPU_OK : e;
}

static enum vgpu_err
tls_flush(struct transport *transport, struct err_text *err)
{
	struct tls *t = tls_of(transport);

	t->step = 0;
	return tls_io_flush(&t->io, err);
}

static int
tls_fd(struct transport *transport)
{
	return tls_of(transport)->io.fd;
}

static bool
tls_pending(struct transport *transport)
{
	struct tls *t = tls_of(transport);

	/* After a read that found nothing, only the socket brings more. */
	return t->failed != VGPU_OK ||
	    (!t->io.dry && has_more(t));
}

static enum vgpu_err
tls_token(struct transport *transport, uint8_t out[TRANSPORT_TOKEN_LEN],
    struct err_text *err)
{
	struct tls *t = tls_of(transport);
	int ok;

	tls_enter(t);
	ok = SSL_export_keying_material(t->ssl, out, TRANSPORT_TOKEN_LEN,
	    TOKEN_LABEL, strlen(TOKEN_LABEL), NULL, 0, 0);
	tls_leave();
	return ok == 1 ? VGPU_OK : err_set(err, VGPU_ETLS,
	    "OpenSSL exports no token");
}

static const char *
tls_peer(struct transport *transport)
{
	return tls_of(transport)->peer;
}

/*
 * Closing with bytes unread would make the kernel reset the connection, and
 * the peer might lose our last words.
 */
static void
drain(int fd)
{
	char waste[4096];
	size_t total = 0;
	ssize_t n;

	(void)shutdown(fd, SHUT_WR);
	while (total < DRAIN_MAX && (n = recv(fd, waste, sizeof(waste),
	    MSG_DONTWAIT)) > 0)
		total += (size_t)n;
}

static void
tls_close(struct transport *transport, bool orderly)
{
	struct tls *t = tls_of(transport);

	if (orderly && t->done && t->failed == VGPU_OK &&
	    t->io.error == 0) {
		tls_enter(t);
		(void)SSL_shutdown(t->ssl);
		tls_leave();
		(void)tls_io_flush(&t->io, NULL);
	}
	if (orderly || !t->done)
		drain(t->io.fd);
	SSL_free(t->ssl);
	close(t->io.fd);
	buf_fini(&t->io.out);
	buf_fini(&t->io.in);
	tls_ctx_unref(t->ctx);
	free(t);
}

const struct transport_ops tls_ops = {
	.name = "tls",
	.handshake = tls_handshake,
	.read = tls_read,
	.write = tls_write,
	.flush = tls_flush,
	.fd = tls_fd,
	.pending = tls_pending,
	.token = tls_token,
	.peer = tls_peer,
	.digest = tls_peer_digest,
	.close = tls_close,
};
