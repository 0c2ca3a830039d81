/* SPDX-License-Identifier: ISC */
/*
 * link_rate - how fast a link's connection takes bytes.
 *
 * What has gone is what was written but for what the kernel still holds.
 * While it holds some the connection is waited for; while not, its rate is at
 * least what was seen, if that was more than a short burst.  The best of the
 * last times counts: in the others the peer was busy with something else.
 */
#include "transport/link_private.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "common/clock.h"

#define SPAN_NS 10000000	/* shortest time to judge by, */
#define ENOUGH (768 << 10)	/* or bytes */
#define HELD_MIN (32 << 10)	/* bytes: the connection is waited for */

/* What is assumed of a connection over this far, until it is known. */
#define FAR_US 2000
#define FAR_RATE 30000000

static bool
is_far(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 &&
	    len == sizeof(info) && info.tcpi_min_rtt >= FAR_US &&
	    info.tcpi_min_rtt != UINT32_MAX;
}

/* With the lock held, as all of the following. */
static uint64_t
guess(struct link_rate *r, int fd)
{
	if (!r->looked)
		r->far = is_far(fd);
	r->looked = true;
	return r->far ? FAR_RATE : 0;
}

static uint64_t
most(const struct link_rate *r)
{
	uint64_t n = 0;
	unsigned i;

	for (i = 0; i < r->n && i < LINK_RATES; i++)
		if (r->rate[i] > n)
			n = r->rate[i];
	return n;
}

static void
add(struct link_rate *r, uint64_t rate)
{
	r->rate[r->n++ % LINK_RATES] = rate > 0 ? rate : 1;
}

/* What has gone since it was looked last. */
static void
judge(struct link_rate *r, int64_t now, uint64_t gone, bool waited)
{
	uint64_t n = gone - r->gone, rate;
	int64_t span = now - r->since;

	if (r->since != 0 && gone >= r->gone && span > 0) {
		rate = (uint64_t)((double)n * 1e9 / (double)span);
		if (n < ENOUGH && waited && r->waited && span < SPAN_NS)
			return;	/* go on */
		if (waited && r->waited && (n >= ENOUGH || span >= SPAN_NS))
			add(r, rate);
		else if (n >= ENOUGH && rate > most(r))
			add(r, rate);
	}
	r->since = now;
	r->gone = gone;
	r->waited = waited;
}

uint64_t
link_rate(struct link *l)
{
	struct link_rate *r = &l->rate;
	int64_t now = clock_ns();
	uint64_t gone, rate;
	int held = 0;

	pthread_mutex_lock(&l->state_lock);
	if (l->fd < 0 || ioctl(l->fd, SIOCOUTQ, &held) != 0)
		held = 0;
	gone = atomic_load_explicit(&l->written_out, memory_order_relaxed);
	gone -= (uint64_t)held < gone ? (uint64_t)held : gone;
	judge(r, now, gone, held >= HELD_MIN);
	rate = r->n > 0 ? most(r) : guess(r, l->fd);
	pthread_mutex_unlock(&l->state_lock);
	return rate;
}
