/* SPDX-License-Identifier: ISC */
#include "hostd/defer.h"

#include <event2/event.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hostd/serve.h"

struct deferred {
	STAILQ_ENTRY(deferred) entry;
	void (*fn)(struct serve *, void *);
	void *arg;
};

static STAILQ_HEAD(, deferred) list = STAILQ_HEAD_INITIALIZER(list);
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static int wake_fd = -1;
static struct event *wake_event, *write_event;

static struct deferred *
deferred_take(void)
{
	struct deferred *d;

	pthread_mutex_lock(&list_lock);
	if ((d = STAILQ_FIRST(&list)) != NULL)
		STAILQ_REMOVE_HEAD(&list, entry);
	pthread_mutex_unlock(&list_lock);
	return d;
}

static void
on_wake(int fd, short what, void *arg)
{
	struct serve *s = arg;
	struct deferred *d;
	uint64_t count;

	(void)what;
	if (read(fd, &count, sizeof(count)) < 0)
		return;
	while ((d = deferred_take()) != NULL) {
		d->fn(s, d->arg);
		free(d);
	}
}

void
defer_wake(void)
{
	const uint64_t one = 1;

	if (write(wake_fd, &one, sizeof(one)) < 0)
		return;	/* the counter is full: the loop is awake */
}

void
serve_defer(struct serve *s, void (*fn)(struct serve *, void *), void *arg)
{
	struct deferred *d = malloc(sizeof(*d));

	if (d == NULL) {
		serve_fail(s, VGPU_ENOMEM, "out of memory");
		return;
	}
	d->fn = fn;
	d->arg = arg;
	pthread_mutex_lock(&list_lock);
	STAILQ_INSERT_TAIL(&list, d, entry);
	pthread_mutex_unlock(&list_lock);
	defer_wake();
}

static void
on_writable(int fd, short what, void *arg)
{
	struct serve *s = arg;

	(void)fd;
	(void)what;
	if (link_flush(s->control, NULL) == VGPU_EAGAIN)
		event_add(write_event, NULL);
}

static void
watch_writable(struct serve *s, void *arg)
{
	(void)s;
	(void)arg;
	event_add(write_event, NULL);
}

void
defer_write(struct serve *s)
{
	serve_defer(s, watch_writable, NULL);
}

enum vgpu_err
defer_open(struct serve *s, struct err_text *text)
{
	wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake_fd < 0)
		return err_sys(text, "eventfd");
	wake_event = event_new(s->base, wake_fd, EV_READ | EV_PERSIST, on_wake,
	    s);
	write_event = event_new(s->base, link_fd(s->control), EV_WRITE,
	    on_writable, s);
	if (wake_event == NULL || write_event == NULL ||
	    event_add(wake_event, NULL) != 0)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	return VGPU_OK;
}
