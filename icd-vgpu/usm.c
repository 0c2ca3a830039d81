/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/usm_private.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/event.h"
#include "icd-vgpu/queue.h"
#include "icd-vgpu/svm.h"

/* A command that the program does not know to be complete. */
struct usm_use {
	TAILQ_ENTRY(usm_use) entry;
	struct event *event;	/* a use */
	bool ended;
	unsigned kinds;
	size_t count;
	const void *p[];
};
TAILQ_HEAD(use_list, usm_use);

/*
 * Twins change and end, and their changes travel, under the lock; it is held
 * while waiting for the host.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct use_list uses = TAILQ_HEAD_INITIALIZER(uses);
static atomic_size_t use_count;
static atomic_size_t allocations;

/* ---- before a command is sent ------------------------------------------ */

cl_int
usm_prepare(const struct context *c, const struct usm_set *set,
    struct usm_use **out)
{
	const size_t n = set->count * sizeof(set->p[0]);
	struct usm_use *u = calloc(1, sizeof(*u) + n);
	struct usm_found f = { .context = c };
	cl_int code;

	if (u == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	u->kinds = set->kinds;
	u->count = set->count;
	if (n > 0)
		memcpy(u->p, set->p, n);
	pthread_mutex_lock(&lock);
	usm_find(&f, u->kinds, u->p, u->count);
	code = f.failed ? CL_OUT_OF_HOST_MEMORY : usm_push(c, &f);
	usm_found_fini(&f);
	pthread_mutex_unlock(&lock);
	if (code == CL_SUCCESS)
		*out = u;
	else
		free(u);
	return code;
}

void
usm_sent(struct usm_use *u, struct event *e)
{
	u->event = object_use(e);
	pthread_mutex_lock(&lock);
	TAILQ_INSERT_TAIL(&uses, u, entry);
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&use_count, 1);
}

void
usm_not_sent(struct usm_use *u)
{
	free(u);
}

cl_int
usm_push_again(const struct context *c)
{
	struct usm_found f = { .context = c };
	struct usm_use *u;
	cl_int code;

	if (atomic_load(&use_count) == 0)
		return CL_SUCCESS;
	pthread_mutex_lock(&lock);
	TAILQ_FOREACH(u, &uses, entry)
		if (u->event->context == c)
			usm_find(&f, u->kinds, u->p, u->count);
	code = f.failed ? CL_OUT_OF_HOST_MEMORY : usm_push(c, &f);
	usm_found_fini(&f);
	pthread_mutex_unlock(&lock);
	return code;
}

/* ---- before the program learns of its end ------------------------------ */

/* Which uses have ended? */
static void
look(void)
{
	struct usm_use *u;

	call_lock();
	TAILQ_FOREACH(u, &uses, entry)
		u->ended = event_status(u->event) <= CL_COMPLETE;
	call_unlock();
}

/*
 * In a queue without order the end of one command may tell, by what it waited
 * for, of others whose own end is not known here: what those wrote is fetched
 * as well, and again later.
 */
static bool
may_have_ended(const struct usm_use *u)
{
	return u->ended || !u->event->queue->in_order;
}

static void
pull_context(const struct context *c)
{
	struct usm_found f = { .context = c };
	struct usm_use *u;

	TAILQ_FOREACH(u, &uses, entry)
		if (u->event->context == c && may_have_ended(u))
			usm_find(&f, u->kinds, u->p, u->count);
	usm_pull(&f);
	usm_found_fini(&f);
}

/* Of the list from u on: is there an earlier one of the same context? */
static bool
context_done(const struct usm_use *u)
{
	const struct usm_use *v;

	TAILQ_FOREACH(v, &uses, entry) {
		if (v == u)
			return false;
		if (v->event->context == u->event->context &&
		    may_have_ended(v))
			return true;
	}
	return false;
}

void
usm_settle(void)
{
	struct use_list ended = TAILQ_HEAD_INITIALIZER(ended);
	struct usm_use *u, *next;

	if (atomic_load(&use_count) == 0)
		return;
	pthread_mutex_lock(&lock);
	look();
	TAILQ_FOREACH(u, &uses, entry)
		if (may_have_ended(u) && !context_done(u))
			pull_context(u->event->context);
	for (u = TAILQ_FIRST(&uses); u != NULL; u = next) {
		next = TAILQ_NEXT(u, entry);
		if (!u->ended)
			continue;
		TAILQ_REMOVE(&uses, u, entry);
		TAILQ_INSERT_TAIL(&ended, u, entry);
		atomic_fetch_sub(&use_count, 1);
	}
	pthread_mutex_unlock(&lock);
	while ((u = TAILQ_FIRST(&ended)) != NULL) {
		TAILQ_REMOVE(&ended, u, entry);
		object_unuse(u->event);
		free(u);
	}
}

/* ---- allocations ------------------------------------------------------- */

/* An event of the context that is not known to have ended, with a use. */
static struct event *
first_of(const struct context *c)
{
	struct event *e = NULL;
	struct usm_use *u;

	pthread_mutex_lock(&lock);
	TAILQ_FOREACH(u, &uses, entry)
		if (u->event->context == c) {
			e = object_use(u->event);
			break;
		}
	pthread_mutex_unlock(&lock);
	return e;
}

void
usm_wait(const struct context *c)
{
	struct event *e;
	cl_event handle;

	while ((e = first_of(c)) != NULL) {
		handle = event_handle(e);
		icd_clWaitForEvents(1, &handle);
		object_unuse(e);
	}
}

bool
usm_exists(void)
{
	return atomic_load(&allocations) != 0;
}

bool
usm_is_device(const void *p)
{
	const struct svm *s = usm_exists() ? svm_find(p) : NULL;

	return s != NULL && usm_kind(s) == USM_DEVICE;
}

bool
usm_enter(struct svm *s)
{
	if (usm_kind(s) == 0)
		return true;
	if (usm_kind(s) != USM_DEVICE && !s->kind.fine &&
	    !twin_init(&s->twin, s->base, s->size))
		return false;
	atomic_fetch_add(&allocations, 1);
	return true;
}

void
usm_leave(void (*leave)(void *), void *arg, bool usm)
{
	pthread_mutex_lock(&lock);
	leave(arg);
	pthread_mutex_unlock(&lock);
	if (usm)
		atomic_fetch_sub(&allocations, 1);
}

/* What the parent has under way is its own. */
void
usm_fork(enum fork_phase phase)
{
	fork_mutex(&lock, phase);
	if (phase != FORK_CHILD)
		return;
	TAILQ_INIT(&uses);
	atomic_store(&use_count, 0);
	atomic_store(&allocations, 0);
}
