/* SPDX-License-Identifier: ISC */
#include "transport/pair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

struct pair {
	struct transport transport;
	int fd;
	size_t chunk;
	uint8_t token[TRANSPORT_TOKEN_LEN];
	char peer[TRANSPORT_NAME_MAX];
};

static struct pair *
pair_of(struct transport *t)
{
	return (struct pair *)t;
}

static enum vgpu_err
pair_error(const char *what, struct err_text *err)
{
	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return VGPU_EAGAIN;
	if (errno == EPIPE || errno == ECONNRESET)
		return err_set(err, VGPU_ECLOSED, "the peer closed the pair");
	return err_sys(err, "cannot %s the pair", what);
}

static enum vgpu_err
pair_read(struct transport *t, void *p, size_t n, size_t *got,
    struct err_text *err)
{
	struct pair *pair = pair_of(t);
	ssize_t r;

	do
		r = recv(pair->fd, p, n < pair->chunk ? n : pair->chunk, 0);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return pair_error("read from", err);
	if (r == 0)
		return err_set(err, VGPU_ECLOSED, "the peer closed the pair");
	*got = (size_t)r;
	return VGPU_OK;
}

static enum vgpu_err
pair_write(struct transport *t, const void *p, size_t n, size_t *put,
    struct err_text *err)
{
	struct pair *pair = pair_of(t);
	ssize_t r;

	do
		r = send(pair->fd, p, n < pair->chunk ? n : pair->chunk,
		    MSG_NOSIGNAL);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return pair_error("write to", err);
	*put = (size_t)r;
	return VGPU_OK;
}

static enum vgpu_err
pair_flush(struct transport *t, struct err_text *err)
{
	(void)t;
	(void)err;
	return VGPU_OK; /* write keeps nothing */
}

static int
pair_fd(struct transport *t)
{
	return pair_of(t)->fd;
}

static bool
pair_pending(struct transport *t)
{
	(void)t;
	return false; /* what there is, the descriptor shows */
}

static enum vgpu_err
pair_token(struct transport *t, uint8_t out[TRANSPORT_TOKEN_LEN],
    struct err_text *err)
{
	(void)err;
	memcpy(out, pair_of(t)->token, TRANSPORT_TOKEN_LEN);
	return VGPU_OK;
}

static enum vgpu_err
pair_handshake(struct transport *t, enum transport_want *want,
    struct err_text *err)
{
	(void)t;
	(void)want;
	(void)err;
	return VGPU_OK; /* both were made by one call */
}

static const char *
pair_peer(struct transport *t)
{
	return pair_of(t)->peer;
}

static enum vgpu_err
pair_digest(struct transport *t, uint8_t out[TRANSPORT_DIGEST_LEN],
    struct err_text *err)
{
	(void)err;
	memset(out, 0, TRANSPORT_DIGEST_LEN);
	memcpy(out, pair_of(t)->peer, strnlen(pair_of(t)->peer,
	    TRANSPORT_DIGEST_LEN));
	return VGPU_OK;
}

static void
pair_close(struct transport *t, bool orderly)
{
	struct pair *pair = pair_of(t);

	(void)orderly; /* closing says it all */
	close(pair->fd);
	free(pair);
}

static const struct transport_ops pair_ops = {
	.name = "pair",
	.handshake = pair_handshake,
	.read = pair_read,
	.write = pair_write,
	.flush = pair_flush,
	.fd = pair_fd,
	.pending = pair_pending,
	.token = pair_token,
	.peer = pair_peer,
	.digest = pair_digest,
	.close = pair_close,
};

static void
pair_init(struct pair *p, int fd, const uint8_t *token, const char *peer)
{
	p->transport.ops = &pair_ops;
	p->fd = fd;
	p->chunk = SIZE_MAX;
	memcpy(p->token, token, TRANSPORT_TOKEN_LEN);
	snprintf(p->peer, sizeof(p->peer), "%s", peer);
}

enum vgpu_err
pair_new(struct transport **client, struct transport **host,
    const char *name, struct err_text *err)
{
	struct pair *a = calloc(1, sizeof(*a)), *b = calloc(1, sizeof(*b));
	uint8_t token[TRANSPORT_TOKEN_LEN];
	enum vgpu_err e;
	int fd[2];

	if (a == NULL || b == NULL) {
		e = err_set(err, VGPU_ENOMEM, "no memory for a pair");
		goto fail;
	}
	if (getrandom(token, sizeof(token), 0) != (ssize_t)sizeof(token) ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0,
	    fd) != 0) {
		e = err_sys(err, "cannot make a pair");
		goto fail;
	}
	pair_init(a, fd[0], token, "host");
	pair_init(b, fd[1], token, name);
	*client = &a->transport;
	*host = &b->transport;
	return VGPU_OK;
fail:
	free(a);
	free(b);
	return e;
}

void
pair_set_chunk(struct transport *t, size_t n)
{
	pair_of(t)->chunk = n;
}
