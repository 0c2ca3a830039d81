/* SPDX-License-Identifier: ISC */
#include "transport/local.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "transport/fds.h"
#include "transport/peer.h"

#define FEATURES_LEN 8
#define HELLO_LEN (FEATURES_LEN + TRANSPORT_TOKEN_LEN)

struct local {
	struct transport transport;
	int fd;
	bool host;
	struct peer peer;
	char name[32];
	/* The handshake: what was sent of ours, received of theirs. */
	uint8_t hello[HELLO_LEN];	/* the client's */
	uint8_t answer[FEATURES_LEN];	/* the host's */
	size_t sent, got;
	struct fds out, in;
};

static struct local *
local_of(struct transport *t)
{
	return (struct local *)t;
}

static enum vgpu_err
gone(struct err_text *err)
{
	return err_set(err, VGPU_ECLOSED, "the peer closed the connection");
}

static enum vgpu_err
local_error(const char *what, struct err_text *err)
{
	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return VGPU_EAGAIN;
	if (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN)
		return gone(err);
	return err_sys(err, "cannot %s the Unix socket", what);
}

/* --- descriptors ---------------------------------------------------------- */

static enum vgpu_err
local_send_fd(struct transport *t, int fd, struct err_text *err)
{
	return fds_put(&local_of(t)->out, fd, err);
}

static int
local_take_fd(struct transport *t)
{
	return fds_take(&local_of(t)->in);
}

/* --- bytes ---------------------------------------------------------------- */

/*
 * A host wants no descriptors of its clients: without room for them the
 * kernel drops those that come.
 */
static enum vgpu_err
local_read(struct transport *t, void *p, size_t n, size_t *got,
    struct err_text *err)
{
	struct local *l = local_of(t);
	struct iovec iov = { p, n };
	union fds_control control;
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t r;

	if (!l->host) {
		h.msg_control = &control;
		h.msg_controllen = sizeof(control);
	}
	do
		r = recvmsg(l->fd, &h, MSG_CMSG_CLOEXEC);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return local_error("read from", err);
	if (!l->host && h.msg_controllen > 0)
		fds_detach(&h, &l->in);
	if (r == 0)
		return gone(err);
	*got = (size_t)r;
	return VGPU_OK;
}

static enum vgpu_err
local_write(struct transport *t, const void *p, size_t n, size_t *put,
    struct err_text *err)
{
	struct local *l = local_of(t);
	struct iovec iov = { (void *)(uintptr_t)p, n };
	union fds_control control;
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t r;

	if (l->out.n > 0)
		fds_attach(&h, &control, &l->out);
	do
		r = sendmsg(l->fd, &h, MSG_NOSIGNAL);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return local_error("write to", err);
	fds_close(&l->out);
	*put = (size_t)r;
	return VGPU_OK;
}

static enum vgpu_err
local_flush(struct transport *t, struct err_text *err)
{
	(void)t;
	(void)err;
	return VGPU_OK; /* write keeps nothing */
}

static int
local_fd(struct transport *t)
{
	return local_of(t)->fd;
}

static bool
local_pending(struct transport *t)
{
	(void)t;
	return false; /* what there is, the descriptor shows */
}

/* --- the handshake -------------------------------------------------------- */

static enum vgpu_err
put_all(struct local *l, const uint8_t *p, size_t n, struct err_text *err)
{
	enum vgpu_err e = VGPU_OK;
	size_t put;

	while (l->sent < n && (e = local_write(&l->transport, p + l->sent,
	    n - l->sent, &put, err)) == VGPU_OK)
		l->sent += put;
	return e;
}

static enum vgpu_err
get_all(struct local *l, uint8_t *p, size_t n, struct err_text *err)
{
	enum vgpu_err e = VGPU_OK;
	size_t got;

	while (l->got < n && (e = local_read(&l->transport, p + l->got,
	    n - l->got, &got, err)) == VGPU_OK)
		l->got += got;
	return e;
}

static enum vgpu_err
shake_client(struct local *l, enum transport_want *want, struct err_text *err)
{
	static const uint8_t none[FEATURES_LEN];
	enum vgpu_err e;

	*want = TRANSPORT_WANT_WRITE;
	if ((e = put_all(l, l->hello, sizeof(l->hello), err)) != VGPU_OK)
		return e;
	*want = TRANSPORT_WANT_READ;
	if ((e = get_all(l, l->answer, sizeof(l->answer), err)) != VGPU_OK)
		return e;
	if (memcmp(l->answer, none, sizeof(none)) != 0)
		return err_set(err, VGPU_EPROTO, "the host chose what this "
		    "client did not offer");
	return VGPU_OK;
}

static enum vgpu_err
shake_host(struct local *l, enum transport_want *want, struct err_text *err)
{
	enum vgpu_err e;

	*want = TRANSPORT_WANT_READ;
	if ((e = get_all(l, l->hello, sizeof(l->hello), err)) != VGPU_OK)
		return e;
	*want = TRANSPORT_WANT_WRITE;
	return put_all(l, l->answer, sizeof(l->answer), err);
}

static enum vgpu_err
local_handshake(struct transport *t, enum transport_want *want,
    struct err_text *err)
{
	struct local *l = local_of(t);
	enum vgpu_err e;

	e = l->host ? shake_host(l, want, err) : shake_client(l, want, err);
	if (e == VGPU_ECLOSED)
		err_set(err, e, "the peer closed the connection during the "
		    "handshake");
	return e;
}

/* --- identity ------------------------------------------------------------- */

static enum vgpu_err
local_token(struct transport *t, uint8_t out[TRANSPORT_TOKEN_LEN],
    struct err_text *err)
{
	(void)err;
	memcpy(out, local_of(t)->hello + FEATURES_LEN, TRANSPORT_TOKEN_LEN);
	return VGPU_OK;
}

static const char *
local_peer(struct transport *t)
{
	return local_of(t)->name;
}

/* No hash: there is nothing to hide in a user's number. */
static enum vgpu_err
local_digest(struct transport *t, uint8_t out[TRANSPORT_DIGEST_LEN],
    struct err_text *err)
{
	(void)err;
	memset(out, 0, TRANSPORT_DIGEST_LEN);
	memcpy(out, local_of(t)->name, strlen(local_of(t)->name));
	return VGPU_OK;
}

/* --- life ----------------------------------------------------------------- */

static void
local_close(struct transport *t, bool orderly)
{
	struct local *l = local_of(t);

	(void)orderly; /* closing says it all */
	fds_close(&l->in);
	fds_close(&l->out);
	close(l->fd);
	free(l);
}

static const struct transport_ops local_ops = {
	.name = "local",
	.handshake = local_handshake,
	.read = local_read,
	.write = local_write,
	.flush = local_flush,
	.fd = local_fd,
	.pending = local_pending,
	.token = local_token,
	.peer = local_peer,
	.digest = local_digest,
	.send_fd = local_send_fd,
	.take_fd = local_take_fd,
	.close = local_close,
};

static enum vgpu_err
local_new(struct local **out, int fd, const struct peer *peer,
    struct err_text *err)
{
	struct local *l;
	int flags;

	if ((flags = fcntl(fd, F_GETFL)) < 0 ||
	    fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return err_sys(err, "cannot use the socket");
	if ((l = calloc(1, sizeof(*l))) == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory for a connection");
	l->transport.ops = &local_ops;
	l->fd = fd;
	l->peer = *peer;
	snprintf(l->name, sizeof(l->name), "user %u", (unsigned)peer->uid);
	*out = l;
	return VGPU_OK;
}

enum vgpu_err
local_new_client(struct transport **out, int fd, uid_t trusted,
    struct err_text *err)
{
	struct peer peer;
	struct local *l;
	enum vgpu_err e;

	peer_get(fd, &peer);
	if (!peer.local)
		return err_set(err, VGPU_EAUTH,
		    "the kernel does not tell which user the host is");
	if (peer.uid != 0 && peer.uid != geteuid() && peer.uid != trusted)
		return err_set(err, VGPU_EAUTH, "the host runs as user %u, "
		    "who is neither root nor this user; if that is right, "
		    "name it with host-user", (unsigned)peer.uid);
	if ((e = local_new(&l, fd, &peer, err)) != VGPU_OK)
		return e;
	if (getrandom(l->hello + FEATURES_LEN, TRANSPORT_TOKEN_LEN, 0) !=
	    TRANSPORT_TOKEN_LEN) {
		free(l);
		return err_sys(err, "no random numbers");
	}
	*out = &l->transport;
	return VGPU_OK;
}

enum vgpu_err
local_new_host(struct transport **out, int fd, struct err_text *err)
{
	struct peer peer;
	struct local *l;
	enum vgpu_err e;

	peer_get(fd, &peer);
	if (!peer.local)
		return err_set(err, VGPU_EAUTH,
		    "the kernel does not tell which user the client is");
	if ((e = local_new(&l, fd, &peer, err)) != VGPU_OK)
		return e;
	l->host = true;
	*out = &l->transport;
	return VGPU_OK;
}
