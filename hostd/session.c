/* SPDX-License-Identifier: ISC */
#include "hostd/session.h"

#include <errno.h>
#include <event2/event.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/channel.h"
#include "hostd/dirs.h"
#include "hostd/home.h"
#include "hostd/lane.h"
#include "hostd/memfd.h"
#include "hostd/pool.h"
#include "hostd/preload.h"
#include "hostd/serve.h"
#include "hostd/setup.h"
#include "hostd/spawn.h"
#include "hostd/talk.h"
#include "hostd/title.h"
#include "hostd/usage.h"
#include "hostd/vendor.h"
#include "transport/peer.h"
#include "transport/preamble.h"
#include "transport/tls.h"

/* There is one in a process. */
static struct session {
	struct infoset setup;
	struct privsep_user user;
	struct tls_ctx *tls;
	struct pool *pool;
	unsigned timeout_ms;
	unsigned number;
	struct transport *control;
	struct infoset admit;
	struct usage *usage;
	struct event *parent;
	struct lane_rules lanes;
} self;

/* --- before there is a client -------------------------------------------- */

/* A file in memory with what the setup has, for readers of files. */
static int
as_file(enum setup_param param, char *path, size_t size,
    struct err_text *text)
{
	const void *p;
	size_t n;
	int fd;

	if ((p = infoset_find(&self.setup, param, &n)) == NULL) {
		err_set(text, VGPU_EPROTO, "setup without %d", param);
		return -1;
	}
	if ((fd = memfd_sealed("vgpu-pem", p, n, text)) >= 0)
		snprintf(path, size, "/proc/self/fd/%d", fd);
	return fd;
}

/* A host that listens on Unix sockets alone needs no certificates. */
static enum vgpu_err
make_tls(struct err_text *text)
{
	char ca[64], certificate[64];
	struct tls_files files = { ca, certificate, NULL };
	enum vgpu_err rc = VGPU_ESYS;
	int a, b = -1;
	size_t n;

	if (infoset_find(&self.setup, SETUP_CERTIFICATE, &n) == NULL)
		return VGPU_OK;
	if ((a = as_file(SETUP_CA, ca, sizeof(ca), text)) >= 0 &&
	    (b = as_file(SETUP_CERTIFICATE, certificate, sizeof(certificate),
	    text)) >= 0)
		rc = tls_ctx_new_host(&self.tls, &files, talk_sign,
		    NULL, text);
	if (a >= 0)
		close(a);
	if (b >= 0)
		close(b);
	return rc;
}

static enum vgpu_err
make_pool(struct err_text *text)
{
	const void *p;
	size_t n;

	if ((p = infoset_find(&self.setup, SETUP_POOL, &n)) == NULL)
		return err_set(text, VGPU_EPROTO, "setup without pool");
	return pool_decode(&self.pool, p, n, text);
}

static void
set_up(bool bare)
{
	char home[PATH_MAX];
	struct err_text text;

	infoset_init(&self.setup);
	infoset_init(&self.admit);
	if (setup_read(&self.setup, &self.user, &text) != VGPU_OK ||
	    make_tls(&text) != VGPU_OK || make_pool(&text) != VGPU_OK ||
	    privsep_drop(&self.user, &text) != VGPU_OK)
		talk_fatal("%s", text.s);
	self.timeout_ms = infoset_u32(&self.setup, SETUP_HANDSHAKE_MS, 10000);
	vendor_init();
	dirs_probe(infoset_text(&self.setup, SETUP_STATE_DIR, "/"), home,
	    sizeof(home));
	if (home_open(&self.user, home, &text) != VGPU_OK)
		talk_fatal("%s", text.s);
	channel_set_own(SPAWN_FD);
	if (!bare)
		preload_start(self.pool);
}

/* --- greeting ------------------------------------------------------------ */

/*
 * The first bytes of a connection, of which the parent has seen that they are
 * there.  False: not a client; said why.
 */
static bool
read_preamble(int fd, uint64_t *session, int64_t deadline)
{
	uint8_t bytes[PREAMBLE_LEN];
	char peer[PEER_NAME_MAX];
	struct pollfd p = { fd, POLLIN, 0 };
	struct err_text text = { "closed" };
	enum vgpu_err rc = VGPU_EAGAIN;
	size_t n = 0;
	ssize_t got;

	peer_name(fd, peer);
	while (rc == VGPU_EAGAIN) {
		got = recv(fd, bytes + n, sizeof(bytes) - n, MSG_DONTWAIT);
		if (got > 0) {
			n += (size_t)got;
			rc = preamble_check(bytes, n, session, &text);
		} else if (got == 0 || (errno != EAGAIN && errno != EINTR))
			rc = VGPU_ECLOSED;
		else if (poll(&p, 1, clock_poll_ms(deadline)) == 0)
			rc = err_set(&text, VGPU_ETIME, "silent");
	}
	if (rc != VGPU_OK)
		log_info("connection from %s dropped: %s", peer, text.s);
	return rc == VGPU_OK;
}

static enum vgpu_err
refuse(const struct channel_msg *m)
{
	enum vgpu_err e = (enum vgpu_err)channel_u32(m);
	const char *reason = (const char *)m->bytes + sizeof(uint32_t);

	log_info("client %s refused: %s", self.control->ops->peer(
	    self.control), reason);
	serve_refuse(self.control, e, reason);
	return e;
}

/* Who is it?  And may it? */
static enum vgpu_err
identify(struct err_text *text)
{
	static struct channel_msg m;
	const char *name = self.control->ops->peer(self.control);
	enum vgpu_err rc;

	rc = self.control->ops->digest(self.control, self.lanes.digest, text);
	if (rc != VGPU_OK)
		return rc;
	talk_tell(CHANNEL_IDENTITY, name, strlen(name), -1);
	talk_await(&m, CHANNEL_ADMIT, CHANNEL_REFUSE,
	    clock_after_ms(TALK_PARENT_MS));
	if (m.type == CHANNEL_REFUSE)
		_exit(refuse(&m) == VGPU_OK);
	rc = usage_map(&self.usage, m.fd, text);
	close(m.fd);
	if (rc != VGPU_OK)
		return rc;
	return infoset_load(&self.admit, m.bytes, m.size, text);
}

/*
 * The handshake of a new session.  Whatever comes of it, this process has
 * decoded a stranger's bytes and is never warm again.
 */
static void
greet(int fd, int64_t deadline)
{
	struct err_text text;
	char peer[PEER_NAME_MAX];
	enum vgpu_err rc;

	peer_name(fd, peer);
	title_set("session %u of %s", self.number, peer);
	rc = lane_transport(&self.control, self.tls, fd, &text);
	if (rc == VGPU_OK)
		rc = transport_handshake_wait(self.control, deadline, &text);
	if (rc == VGPU_OK)
		rc = identify(&text);
	if (rc == VGPU_OK)
		return;
	log_info("connection from %s ended: %s", peer, text.s);
	if (self.control != NULL)
		self.control->ops->close(self.control, true);
	_exit(0);
}

/*
 * Wait for a connection that is a session of its own, and greet it.  Those
 * that join another session go back: only 16 bytes of them were looked at.
 */
static void
wait_for_client(void)
{
	static struct channel_msg m;
	uint64_t joins;
	uint32_t other;
	int64_t deadline;

	for (;;) {
		title_set("session waiting");
		talk_tell(CHANNEL_READY, NULL, 0, -1);
		talk_await(&m, CHANNEL_CONNECTION, CHANNEL_CONNECTION,
		    CLOCK_NEVER);
		deadline = clock_after_ms(self.timeout_ms);
		self.number = channel_u32(&m);
		if (read_preamble(m.fd, &joins, deadline)) {
			if (joins == 0)
				break;
			other = joins > UINT32_MAX ? 0 : (uint32_t)joins;
			talk_tell(CHANNEL_GIVE_BACK, &other, sizeof(other),
			    m.fd);
		}
		close(m.fd);
	}
	greet(m.fd, deadline);
}

/* --- the session --------------------------------------------------------- */

static void
lane_done(void)
{
	talk_tell(CHANNEL_LANE_DONE, NULL, 0, -1);
}

static void
on_parent(int fd, short what, void *arg)
{
	static struct channel_msg m;
	int lane;

	(void)fd;
	(void)what;
	(void)arg;
	while (talk_hear(&m) == VGPU_OK) {
		if (talk_note(&m))
			continue;
		if (m.type != CHANNEL_LANE)
			talk_fatal("unexpected message %s",
			    channel_name(m.type));
		lane_start(&self.lanes, m.fd);
	}
	while ((lane = talk_aside()) >= 0)
		lane_start(&self.lanes, lane);
}

/* While an answer is awaited, too. */
static void
note(const struct channel_msg *m)
{
	struct channel_move order;

	if (m->type == CHANNEL_SHUT) {
		serve_shut(m->bytes);
		return;
	}
	memcpy(&order, m->bytes, sizeof(order));
	serve_move(&order);
}

static void
moved(const struct channel_moved *m)
{
	talk_tell(CHANNEL_MOVED, m, sizeof(*m), -1);
}

/* From any thread. */
static void
lost(unsigned index)
{
	const uint32_t device = index;

	talk_tell(CHANNEL_LOST, &device, sizeof(device), -1);
}

static void
shown(unsigned index)
{
	const uint32_t device = index;

	talk_tell(CHANNEL_SHOWN, &device, sizeof(device), -1);
}

/* Which of these devices is to run a context; see serve_start. */
static unsigned
place(const unsigned *indexes, unsigned n)
{
	static struct channel_msg m;

	talk_tell(CHANNEL_PLACE, indexes, n * sizeof(*indexes), -1);
	talk_await(&m, CHANNEL_PLACED, CHANNEL_PLACED,
	    clock_after_ms(TALK_PARENT_MS));
	return channel_u32(&m);
}

/* A lane came while an answer was awaited. */
static void
wake(void)
{
	event_active(self.parent, EV_READ, 0);
}

static void
order_pool(void)
{
	const void *p;
	size_t n;

	p = infoset_find(&self.admit, ADMIT_DEVICES, &n);
	pool_select(self.pool, p, p == NULL ? 0 :
	    (unsigned)(n / sizeof(uint32_t)));
}

static struct event_base *
make_loop(void)
{
	struct event_base *base = event_base_new();

	if (base == NULL)
		talk_fatal("cannot make an event loop");
	self.parent = event_new(base, SPAWN_FD, EV_READ | EV_PERSIST,
	    on_parent, NULL);
	if (self.parent == NULL || event_add(self.parent, NULL) != 0)
		talk_fatal("cannot watch the parent");
	talk_set_wake(wake);
	talk_set_note(note);
	self.lanes.base = base;
	self.lanes.tls = self.tls;
	self.lanes.timeout_ms = self.timeout_ms;
	self.lanes.proven = serve_add_lane;
	self.lanes.done = lane_done;
	return base;
}

int
session_main(bool bare)
{
	struct serve_start start;
	struct err_text text;

	set_up(bare);
	wait_for_client();
	start = (struct serve_start){
		.base = make_loop(),
		.control = self.control,
		.session = self.number,
		.tenant = infoset_text(&self.admit, ADMIT_TENANT, ""),
		.present_as = infoset_u64(&self.admit, ADMIT_PRESENT_AS, 0),
		.view = (enum view_kind)infoset_u32(&self.admit, ADMIT_VIEW,
		    VIEW_PHYSICAL),
		.move_across = infoset_u32(&self.admit, ADMIT_MOVE_ACROSS, 0)
		    != 0,
		.names = infoset_text(&self.admit, ADMIT_NAMES, NULL),
		.state_dir = infoset_text(&self.admit, ADMIT_STATE_DIR, "/"),
		.build_cache = infoset_u64(&self.setup, SETUP_BUILD_CACHE, 0),
		.place = place,
		.moved = moved,
		.lost = lost,
		.shown = shown,
		.pool = self.pool,
		.usage = self.usage,
	};
	title_set("session %u tenant %s", start.session, start.tenant);
	if (home_change(&self.user, start.state_dir, &text) != VGPU_OK)
		talk_fatal("%s", text.s);
	order_pool();
	return serve_run(&start);
}
