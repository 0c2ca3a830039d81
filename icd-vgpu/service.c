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
#define DOZE_MS 8
#define RESTLESS_TICKS 50	/* ticks without an event before it rests */

void
service_wake(struct client *c)
{
	uint64_t one = 1;

	if (atomic_exchange(&c->asleep, SERVICE_TICKS) != SERVICE_TICKS &&
	    write(c->kick, &one, sizeof(one)) < 0)
		return;	/* the counter is full: it is awake */
}

void
service_note_unsent(struct client *c)
{
	/* The message was queued before this is read: see service_flush. */
	if (!atomic_load(&c->dirty)) {
		atomic_store(&c->dirty, true);
		if (atomic_load(&c->asleep) == SERVICE_RESTS)
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

/* True: something was there that nobody else had sent. */
static bool
flush_turn(struct client *c)
{
	struct link *data = atomic_load(&c->data);
	bool dirty = atomic_load(&c->dirty);

	if (dirty)
		service_flush(c);
	if (data != NULL && link_want_write(data))
		link_flush(data, NULL);
	return dirty;
}

/*
 * Announce how it is going to sleep.  Who finds something to wake it for after
 * this sees the announcement; who did before is seen here.
 */
static bool
fall_asleep(struct client *c, enum service_sleep how)
{
	atomic_store(&c->asleep, how);
	if (how == SERVICE_RESTS ? !atomic_load(&c->dirty) :
	    atomic_load(&c->expected) <= 0)
		return true;
	atomic_store(&c->asleep, SERVICE_TICKS);
	return false;
}

/* In ms; waits: a thread of the program does, or did since the last tick. */
static int
next_tick(struct client *c, bool waits, unsigned quiet, int tick)
{
	if (quiet > RESTLESS_TICKS && fall_asleep(c, SERVICE_RESTS))
		return -1;
	if (!waits || tick < 0 || !fall_asleep(c, SERVICE_DOZES))
		return TICK_MS;
	return tick < DOZE_MS ? tick * 2 : tick;
}

static void *
service_thread(void *arg)
{
	struct client *c = arg;
	unsigned leads = 0, now, quiet = 0;
	int tick = TICK_MS;
	bool led;

	while (atomic_load(&c->alive)) {
		now = atomic_load(&c->leads);
		led = now != leads;
		leads = now;
		if (led || atomic_load(&c->dirty))
			quiet = 0;
		/*
		 * A thread that waits reads for us; two readers would only
		 * wake each other.  One that led since the last tick is likely
		 * to do so again.
		 */
		tick = next_tick(c, led || atomic_load(&c->leading), quiet,
		    tick);
		/* Looked at again: who ends leading now sees the announcement. */
		if (sleep_turn(c, !led && !atomic_load(&c->leading), tick))
			quiet = 0;
		else
			quiet++;
		atomic_store(&c->asleep, SERVICE_TICKS);
		if (flush_turn(c))
			tick = TICK_MS;
	}
	return NULL;
}

bool
service_start(struct client *c)
{
	return thread_start(service_thread, c);
}
