/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/client.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/coding.h"
#include "icd-vgpu/call.h"
#include "icd-vgpu/callback.h"
#include "icd-vgpu/connect.h"
#include "icd-vgpu/event.h"
#include "icd-vgpu/pending.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/service.h"
#include "icd-vgpu/summary.h"
#include "icd-vgpu/trace.h"
#include "icd-vgpu/transfer.h"

/* First bytes of a data frame: its three fields, padded to a slot. */
#define DATA_PREFIX sizeof(struct msg_data)

static struct client *the_client;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static bool tried, connected;
static struct err_text why_not;

/* Let go of the parent's connection without touching it. */
static void
client_abandon(struct client *c)
{
	struct link *data = atomic_load(&c->data);

	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->cond, NULL);
	pthread_mutex_init(&c->eager_lock, NULL);
	c->leading = false;
	c->followers = 0;
	atomic_store(&c->alive, false);
	link_abandon(c->control);
	if (data != NULL)
		link_abandon(data);
	close(c->kick);
	close(c->wake);
	c->kick = c->wake = -1;
}

/*
 * The lock of opening and the lane's: whoever holds one may be inside of
 * OpenSSL, which the child will need.
 */
void
client_fork(enum fork_phase phase)
{
	fork_mutex(&open_lock, phase);
	if (!connected)
		return;
	fork_mutex(&the_client->data_lock, phase);
	if (phase != FORK_CHILD)
		return;
	client_abandon(the_client);
	summary_forget();
	tried = connected = false;
}

/* What it took, for those who ask for it. */
static void __attribute__((destructor))
client_print_stats(void)
{
	struct client *c = the_client;
	struct link_stats a, b = { 0 };
	struct link *data;
	char line[256];

	if (connected && trace_wants_summary())
		summary_print();
	if (!connected || !trace_wants_stats())
		return;
	link_get_stats(c->control, &a);
	if ((data = atomic_load(&c->data)) != NULL)
		link_get_stats(data, &b);
	snprintf(line, sizeof(line), "waits %llu sent %llu received %llu"
	    " bytes-sent %llu bytes-received %llu writes %llu reads %llu"
	    " copied-out %llu copied-in %llu",
	    (unsigned long long)atomic_load(&c->waits),
	    (unsigned long long)(a.frames_sent + b.frames_sent),
	    (unsigned long long)(a.frames_received + b.frames_received),
	    (unsigned long long)(a.bytes_sent + b.bytes_sent),
	    (unsigned long long)(a.bytes_received + b.bytes_received),
	    (unsigned long long)(a.writes + b.writes),
	    (unsigned long long)(a.reads + b.reads),
	    (unsigned long long)(a.bytes_copied_out + b.bytes_copied_out),
	    (unsigned long long)(a.bytes_copied_in + b.bytes_copied_in));
	trace_stats(line);
}

struct client *
client_current(void)
{
	return the_client;
}

static void
client_free(struct client *c)
{
	if (c->control != NULL)
		link_free(c->control, false);
	tls_ctx_free(c->tls);
	settings_fini(&c->settings);
	if (c->kick >= 0)
		close(c->kick);
	if (c->wake >= 0)
		close(c->wake);
	coding_free(c->coding);
	free(c);
}

static void
client_prepare(struct client *c)
{
	pthread_mutex_init(&c->lock, NULL);
	pthread_mutex_init(&c->data_lock, NULL);
	pthread_mutex_init(&c->eager_lock, NULL);
	pthread_cond_init(&c->cond, NULL);
	TAILQ_INIT(&c->pending);
	TAILQ_INIT(&c->transfers);
	atomic_init(&c->serial, 1);
	c->kick = c->wake = -1;
}

static enum vgpu_err
client_open(struct client *c, struct err_text *text)
{
	enum vgpu_err e;

	/* for what is wrong with the settings themselves */
	trace_open(secure_getenv(settings_variable(SETTINGS_TRACE)),
	    secure_getenv(settings_variable(SETTINGS_TRACE_FILE)));
	if ((e = settings_load(&c->settings, text)) != VGPU_OK)
		return e;
	trace_open(c->settings.value[SETTINGS_TRACE],
	    c->settings.value[SETTINGS_TRACE_FILE]);
	if (c->settings.value[SETTINGS_HOST] == NULL)
		return err_set(text, VGPU_ECONF, "no host is configured: set"
		    " VGPU_HOST or write a client.conf, see vgpu(7)");
	c->kick = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (c->kick < 0 || c->wake < 0)
		return err_sys(text, "eventfd");
	if ((e = connect_open(c, text)) != VGPU_OK)
		return e;
	link_set_streamed(c->control, MSG_data, DATA_PREFIX);
	summary_watch(c->control);
	atomic_store(&c->alive, true);
	return VGPU_OK;
}

/* Open the connection, once in a process; the lock is held. */
static void
client_try(void)
{
	struct client *c = calloc(1, sizeof(*c));
	enum vgpu_err e;

	tried = true;
	if (c == NULL)
		return;
	client_prepare(c);
	if ((e = client_open(c, &why_not)) != VGPU_OK) {
		trace_no_platform(why_not.s);
		client_free(c);
		return;
	}
	/* The hello was one. */
	atomic_store(&c->waits, 1);
	the_client = c;
	connected = true;
	if (!service_start(c))
		client_die(c, "no thread for the connection");
}

struct client *
client_get(const char **reason)
{
	struct client *c;

	fork_watch();
	pthread_mutex_lock(&open_lock);
	if (!tried)
		client_try();
	c = connected ? the_client : NULL;
	pthread_mutex_unlock(&open_lock);
	if (c == NULL && reason != NULL)
		*reason = why_not.s;
	return c;
}

struct link *
client_data_lane(struct client *c)
{
	struct link *l = atomic_load(&c->data);
	struct err_text text;

	if (l != NULL || !atomic_load(&c->alive))
		return l;
	pthread_mutex_lock(&c->data_lock);
	if ((l = atomic_load(&c->data)) == NULL) {
		if (connect_lane(c, &l, &text) == VGPU_OK) {
			link_set_streamed(l, MSG_data, DATA_PREFIX);
			summary_watch(l);
			link_set_exact(l);
			atomic_store(&c->data, l);
		} else {
			l = NULL;
		}
	}
	pthread_mutex_unlock(&c->data_lock);
	if (l == NULL)
		client_die(c, text.s);
	return l;
}

static void
lose_object(struct object *o)
{
	if (o->kind == OBJ_EVENT)
		event_lose((struct event *)o);
}

void
client_die(struct client *c, const char *reason)
{
	struct link *data = atomic_load(&c->data);

	if (!atomic_exchange(&c->alive, false))
		return;
	trace_text(reason);
	link_fail(c->control, VGPU_ECLOSED, reason);
	if (data != NULL)
		link_fail(data, VGPU_ECLOSED, reason);
	object_each(lose_object);
	pending_lose(c);
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->cond);
	pthread_mutex_unlock(&c->lock);
	service_wake(c);
}
