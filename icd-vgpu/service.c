/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/service.h"

#include <poll.h>
#include <stdint.h>
#include <unistd.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/incoming.h"
#include "icd-vgpu/thread.h"

#define TICK_MS 1
#define RESTLESS_TICKS 50	/* ticks without an event before it rests */

void
service_wake(struct client *c)
{
	uint64_t one = 1;

	if (atomic_exchange(&c->resting, false) &&
	    write(c->kick, &one, sizeof(one)) < 0)
		return;	/* the counter is full: it is awake */
}

void
service_note_unsent(struct client *c)
{
	/* The message was queued before this is read: see service_flush. */
	if (!atomic_load(&c->dirty)) {
		atomic_store(&c->dirty, true);
		if (atomic_load(&c->resting))
			service_wake(c);
	}
}

void
service_flush(struct client *c)
{
	/*
	 * Cleared first: whoever queues a message and still sees it set has
	 * done so before this flush, which then takes the message along.
	 */
	atomic_store(&c->dirty, false);
	if (link_flush(c->control, NULL) == VGPU_EAGAIN)
		service_note_unsent(c);
}

/* Become leader for one turn, unless a thread of the program is. */
static void
receive_turn(struct client *c)
{
	pthread_mutex_lock(&c->lock);
	if (c->leading) {
		pthread_mutex_unlock(&c->lock);
		return;
	}
	c->leading = true;
	pthread_mutex_unlock(&c->lock);
	incoming_receive(c);
	pthread_mutex_lock(&c->lock);
	c->leading = false;
	if (c->followers > 0)
		pthread_cond_broadcast(&c->cond);
	pthread_mutex_unlock(&c->lock);
}

/*
 * Sleep for a tick, or until kicked, or, when listen, until a lane has
 * something.  True: it was not just the tick.
 */
static bool
sleep_turn(struct client *c, bool listen, int timeout)
{
	struct link *data = atomic_load(&c->data);
	struct pollfd p[3] = {
		{ .fd = c->kick, .events = POLLIN },
		{ .fd = listen ? link_fd(c->control) : -1, .events = POLLIN },
		{ .fd = listen && data != NULL ? link_fd(data) : -1,
		    .events = POLLIN },
	};
	uint64_t count;

	if (poll(p, 3, timeout) <= 0)
		return false;
	if ((p[0].revents & POLLIN) &&
	    read(c->kick, &count, sizeof(count)) < 0)
		return true;
	if (p[1].revents != 0 || p[2].revents != 0)
		receive_turn(c);
	return true;
}

static void
flush_turn(struct client *c)
{
	struct link *data = atomic_load(&c->data);

	if (atomic_load(&c->dirty))
		service_flush(c);
	if (data != NULL && link_want_write(data))
		link_flush(data, NULL);
}

static void *
service_thread(void *arg)
{
	struct client *c = arg;
	unsigned leads = 0, now, quiet = 0;
	bool led, rest;

	while (atomic_load(&c->alive)) {
		now = atomic_load(&c->leads);
		led = now != leads;
		leads = now;
		if (led || atomic_load(&c->dirty))
			quiet = 0;
		/*
		 * A thread that waits reads for us; two readers would only
		 * wake each other.  It led since the last tick, so it is
		 * likely to do so again.
		 */
		rest = quiet > RESTLESS_TICKS;
		if (rest) {
			atomic_store(&c->resting, true);
			if (atomic_load(&c->dirty))
				rest = false;
		}
		if (sleep_turn(c, !led && !atomic_load(&c->leading),
		    rest ? -1 : TICK_MS))
			quiet = 0;
		else
			quiet++;
		atomic_store(&c->resting, false);
		flush_turn(c);
	}
	return NULL;
}

bool
service_start(struct client *c)
{
	return thread_start(service_thread, c);
}
