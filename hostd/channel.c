/* SPDX-License-Identifier: ISC */
#include "hostd/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hostd/pool.h"
#include "transport/sign.h"

#define ANY CHANNEL_BYTES_MAX

static const struct message {
	uint32_t type;
	const char *name;
	bool from_parent;
	bool fd;
	size_t min, max;
} messages[] = {
	{ CHANNEL_CONNECTION, "connection", true, true, 4, 4 },
	{ CHANNEL_ADMIT, "admit", true, true, 8, ANY },
	{ CHANNEL_REFUSE, "refuse", true, false, 5, 1024 },
	{ CHANNEL_SIGNATURE, "signature", true, false,
	    sizeof(struct sign_reply), sizeof(struct sign_reply) },
	{ CHANNEL_LANE, "lane", true, true, 0, 0 },
	{ CHANNEL_PLACED, "placed", true, false, 4, 4 },
	{ CHANNEL_SHUT, "shut", true, false, POOL_DEVICES_MAX / 8,
	    POOL_DEVICES_MAX / 8 },
	{ CHANNEL_MOVE, "move", true, false, sizeof(struct channel_move),
	    sizeof(struct channel_move) },
	{ CHANNEL_READY, "ready", false, false, 0, 0 },
	{ CHANNEL_SIGN, "sign", false, false,
	    sizeof(struct sign_request), sizeof(struct sign_request) },
	{ CHANNEL_IDENTITY, "identity", false, false, 1, 256 },
	{ CHANNEL_GIVE_BACK, "give-back", false, true, 4, 4 },
	{ CHANNEL_LANE_DONE, "lane-done", false, false, 0, 0 },
	{ CHANNEL_LOAD, "load", false, false, 8, 8 },
	{ CHANNEL_BUILD, "build", false, true, 0, 0 },
	{ CHANNEL_PLACE, "place", false, false, 4, 4 * POOL_DEVICES_MAX },
	{ CHANNEL_MOVED, "moved", false, false, sizeof(struct channel_moved),
	    sizeof(struct channel_moved) },
	{ CHANNEL_LOST, "lost", false, false, 4, 4 },
	{ CHANNEL_SHOWN, "shown", false, false, 4, 4 },
};

static int own_channel = -1;

static const struct message *
find(uint32_t type)
{
	size_t i;

	for (i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
		if (messages[i].type == type)
			return &messages[i];
	return NULL;
}

const char *
channel_name(uint32_t type)
{
	const struct message *m = find(type);

	return m == NULL ? "unknown" : m->name;
}

enum vgpu_err
channel_pair(int out[2], struct err_text *text)
{
	int fd[2], flags;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) != 0)
		return err_sys(text, "cannot make a channel");
	flags = fcntl(fd[0], F_GETFL);
	if (flags < 0 || fcntl(fd[0], F_SETFL, flags | O_NONBLOCK) != 0) {
		err_sys(text, "cannot make a channel");
		close(fd[0]);
		close(fd[1]);
		return VGPU_ESYS;
	}
	out[0] = fd[0];
	out[1] = fd[1];
	return VGPU_OK;
}

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static void
attach(struct msghdr *h, union control *control, int fd)
{
	struct cmsghdr *c;

	memset(control, 0, sizeof(*control));
	h->msg_control = control;
	h->msg_controllen = sizeof(*control);
	c = CMSG_FIRSTHDR(h);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
}

enum vgpu_err
channel_send(int channel, enum channel_type type, const void *p, size_t n,
    int fd, struct err_text *text)
{
	uint32_t head = type;
	struct iovec iov[2] = { { &head, sizeof(head) } };
	struct msghdr h = { .msg_iov = iov, .msg_iovlen = n > 0 ? 2 : 1 };
	union control control;
	ssize_t rc;

	iov[1].iov_base = (void *)(uintptr_t)p;
	iov[1].iov_len = n;
	if (fd >= 0)
		attach(&h, &control, fd);
	do
		rc = sendmsg(channel, &h, MSG_NOSIGNAL);
	while (rc < 0 && errno == EINTR);
	if (rc >= 0)
		return VGPU_OK;
	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return err_set(text, VGPU_EAGAIN, "channel is full");
	if (errno == EPIPE || errno == ECONNRESET)
		return err_set(text, VGPU_ECLOSED, "channel is closed");
	return err_sys(text, "channel: cannot send %s", channel_name(type));
}

/* The descriptors of a message: the first one is kept, others closed. */
static unsigned
detach(struct msghdr *h, int *fd)
{
	struct cmsghdr *c;
	unsigned count = 0;
	size_t i, n;
	int one;

	*fd = -1;
	for (c = CMSG_FIRSTHDR(h); c != NULL; c = CMSG_NXTHDR(h, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < n; i++, count++) {
			memcpy(&one, CMSG_DATA(c) + i * sizeof(int),
			    sizeof(one));
			if (count == 0)
				*fd = one;
			else
				close(one);
		}
	}
	return count;
}

static enum vgpu_err
check(const struct channel_msg *m, bool from_parent, struct err_text *text)
{
	const struct message *t = find(m->type);

	if (t == NULL || t->from_parent != from_parent)
		return err_set(text, VGPU_EPROTO, "channel: message %u is not "
		    "for this side", m->type);
	if (m->size < t->min || m->size > t->max || t->fd != (m->fd >= 0))
		return err_set(text, VGPU_EPROTO, "channel: %s of %zu bytes "
		    "with%s descriptor", t->name, m->size,
		    m->fd >= 0 ? "" : "out");
	return VGPU_OK;
}

enum vgpu_err
channel_recv(int channel, bool from_parent, struct channel_msg *m,
    struct err_text *text)
{
	uint32_t head = 0;
	struct iovec iov[2] = { { &head, sizeof(head) },
		{ m->bytes, sizeof(m->bytes) } };
	union control control;
	struct msghdr h = { .msg_iov = iov, .msg_iovlen = 2,
		.msg_control = &control, .msg_controllen = sizeof(control) };
	enum vgpu_err e;
	ssize_t rc;

	do
		rc = recvmsg(channel, &h, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	while (rc < 0 && errno == EINTR);
	if (rc < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return VGPU_EAGAIN;
	if (rc == 0 || (rc < 0 && errno == ECONNRESET))
		return err_set(text, VGPU_ECLOSED, "channel is closed");
	if (rc < 0)
		return err_sys(text, "channel: cannot receive");
	detach(&h, &m->fd);
	m->type = head;
	m->size = (size_t)rc < sizeof(head) ? 0 : (size_t)rc - sizeof(head);
	if ((h.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
		e = err_set(text, VGPU_EPROTO, "channel: message too large");
	else
		e = check(m, from_parent, text);
	if (e != VGPU_OK && m->fd >= 0) {
		close(m->fd);
		m->fd = -1;
	}
	return e;
}

uint32_t
channel_u32(const struct channel_msg *m)
{
	uint32_t v;

	memcpy(&v, m->bytes, sizeof(v));
	return v;
}

void
channel_set_own(int channel)
{
	own_channel = channel;
}

void
channel_report_device(unsigned index, int change)
{
	struct {
		uint32_t index;
		int32_t change;
	} load = { index, change };

	if (own_channel >= 0)
		channel_send(own_channel, CHANNEL_LOAD, &load, sizeof(load),
		    -1, NULL);
}

void
channel_order_build(int fd)
{
	if (own_channel >= 0)
		channel_send(own_channel, CHANNEL_BUILD, NULL, 0, fd, NULL);
}
