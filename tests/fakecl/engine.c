/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/engine.h"

#include <string.h>
#include <time.h>

#include "tests/fakecl/calls.h"

struct command {
	TAILQ_ENTRY(command) entry;
	cl_command_queue queue;
	cl_event event;
	cl_ulong serial;	/* in its queue */
	cl_uint wait_count;
	cl_event *wait;
	bool after_all;		/* a marker or barrier without a list */
	bool barrier;
	bool running;
	cl_int end;		/* as the script tells, or CL_COMPLETE */
	run_function *run;
	void (*drop)(void *);
	_Alignas(16) unsigned char arg[];
};

static TAILQ_HEAD(commands, command) pending = TAILQ_HEAD_INITIALIZER(pending);
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static cl_ulong fake_time = 1000000;

/* ---- time ---------------------------------------------------------------- */

cl_ulong
engine_now(void)
{
	struct timespec t;

	if (script_get()->fake_clock)
		return __atomic_load_n(&fake_time, __ATOMIC_SEQ_CST);
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (cl_ulong)t.tv_sec * 1000000000 + (cl_ulong)t.tv_nsec;
}

void
engine_spend(cl_ulong ns)
{
	const struct timespec t = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };

	if (script_get()->fake_clock)
		__atomic_add_fetch(&fake_time, ns, __ATOMIC_SEQ_CST);
	else
		nanosleep(&t, NULL);
}

/* ---- what may begin ------------------------------------------------------ */

enum readiness { NOT_YET, READY, HOPELESS };

/* Does an earlier command of the same queue hold c back? */
static bool
held_back(const struct command *c, const struct command *earlier)
{
	return earlier->queue == c->queue && (earlier->barrier ||
	    c->after_all || !(c->queue->properties &
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
}

static enum readiness
wait_list_state(const struct command *c)
{
	bool failed = false, ended = true;
	cl_uint i;

	for (i = 0; i < c->wait_count; i++) {
		ended = ended && event_ended(c->wait[i]);
		failed = failed || c->wait[i]->status < 0;
	}
	if (failed && (ended || script_get()->fail_early))
		return HOPELESS;
	return ended ? READY : NOT_YET;
}

static enum readiness
readiness(const struct command *c)
{
	const struct command *earlier;
	enum readiness r;

	if (c->running || c->serial > c->queue->flushed)
		return NOT_YET;
	r = wait_list_state(c);
	if (r == HOPELESS && script_get()->fail_early)
		return r;
	TAILQ_FOREACH(earlier, &pending, entry) {
		if (earlier == c)
			break;
		if (held_back(c, earlier))
			return NOT_YET;
	}
	return r;
}

/* ---- the thread ---------------------------------------------------------- */

static cl_int
run(struct command *c)
{
	cl_int status = CL_COMPLETE;

	event_reach(c->event, CL_SUBMITTED);
	event_reach(c->event, CL_RUNNING);
	if (c->end == CL_COMPLETE && c->run != NULL)
		status = c->run(c->arg);
	if (script_get()->fake_clock)
		engine_spend(ENGINE_COMMAND_NS);
	return c->end < 0 ? c->end : status;
}

static void
command_free(struct command *c)
{
	cl_uint i;

	if (c->drop != NULL)
		c->drop(c->arg);
	for (i = 0; i < c->wait_count; i++)
		fake_unref(c->wait[i]);
	free(c->wait);
	fake_unref(c->event);
	fake_unref(c->queue);
	free(c);
}

/* Carry out one command, lock held; false: there is none to. */
static bool
carry_out_one(void)
{
	enum readiness r = NOT_YET;
	struct command *c;
	cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

	TAILQ_FOREACH(c, &pending, entry)
		if ((r = readiness(c)) != NOT_YET)
			break;
	if (c == NULL)
		return false;
	c->running = true;
	pthread_mutex_unlock(&fake_lock);
	if (r == READY)
		status = run(c);
	pthread_mutex_lock(&fake_lock);
	TAILQ_REMOVE(&pending, c, entry);
	pthread_mutex_unlock(&fake_lock);
	event_reach(c->event, status);
	command_free(c);
	pthread_mutex_lock(&fake_lock);
	return true;
}

static void *
thread(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&fake_lock);
	for (;;)
		if (!carry_out_one())
			pthread_cond_wait(&changed, &fake_lock);
	return NULL;
}

static void
start_thread(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, thread, NULL) != 0)
		abort();
	pthread_detach(t);
}

/* ---- enqueueing ---------------------------------------------------------- */

static cl_int
check(const struct order *o)
{
	cl_uint i;

	CHECK(fake_is(o->queue, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	CHECK((o->wait_count == 0) == (o->wait == NULL),
	    CL_INVALID_EVENT_WAIT_LIST);
	for (i = 0; i < o->wait_count; i++) {
		CHECK(fake_is(o->wait[i], KIND_EVENT),
		    CL_INVALID_EVENT_WAIT_LIST);
		CHECK(o->wait[i]->context == o->queue->context,
		    CL_INVALID_CONTEXT);
	}
	return CL_SUCCESS;
}

static struct command *
command_new(const struct order *o)
{
	struct command *c = calloc(1, sizeof(*c) + o->size);
	cl_uint i;

	if (c == NULL)
		abort();
	c->queue = fake_ref(o->queue);
	c->event = event_make(o->queue->context, o->queue, o->type);
	c->wait_count = o->wait_count;
	c->wait = calloc(o->wait_count + 1, sizeof(cl_event));
	for (i = 0; i < o->wait_count; i++)
		c->wait[i] = fake_ref(o->wait[i]);
	c->after_all = o->run == NULL && o->wait_count == 0;
	c->barrier = o->barrier;
	c->end = script_end(o->function);
	c->run = o->run;
	c->drop = o->drop;
	if (o->size > 0)
		memcpy(c->arg, o->arg, o->size);
	return c;
}

cl_int
engine_enqueue(const struct order *o)
{
	cl_int code = check(o);
	struct command *c;
	cl_event event;

	if (code != CL_SUCCESS) {
		if (o->drop != NULL)
			o->drop((void *)(uintptr_t)o->arg);
		return code;
	}
	pthread_once(&once, start_thread);
	c = command_new(o);
	event = fake_ref(c->event);
	if (o->event != NULL)
		*o->event = fake_ref(event);
	pthread_mutex_lock(&fake_lock);
	c->serial = ++c->queue->enqueued;
	TAILQ_INSERT_TAIL(&pending, c, entry);
	pthread_mutex_unlock(&fake_lock);
	if (o->blocking) {
		engine_flush(o->queue);
		engine_wait(event);
		if (event->status < 0)
			code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	}
	fake_unref(event);
	return code;
}

void
engine_flush(cl_command_queue q)
{
	pthread_mutex_lock(&fake_lock);
	q->flushed = q->enqueued;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&fake_lock);
}

void
engine_wait(cl_event e)
{
	pthread_mutex_lock(&fake_lock);
	while (!event_ended(e))
		pthread_cond_wait(&changed, &fake_lock);
	pthread_mutex_unlock(&fake_lock);
}

static bool
busy(cl_command_queue q)
{
	const struct command *c;

	TAILQ_FOREACH(c, &pending, entry)
		if (c->queue == q)
			return true;
	return false;
}

void
engine_wait_queue(cl_command_queue q)
{
	pthread_mutex_lock(&fake_lock);
	while (busy(q))
		pthread_cond_wait(&changed, &fake_lock);
	pthread_mutex_unlock(&fake_lock);
}

/* ---- statuses ------------------------------------------------------------ */

struct callback {
	STAILQ_ENTRY(callback) entry;
	cl_int type;
	void (CL_CALLBACK *fn)(cl_event, cl_int, void *);
	void *arg;
};

/* The first callback that is due, off the list; NULL: none. */
static struct callback *
due(cl_event e, cl_int *status)
{
	struct callback *c;

	pthread_mutex_lock(&fake_lock);
	STAILQ_FOREACH(c, &e->callbacks, entry)
		if (e->status <= c->type)
			break;
	if (c != NULL) {
		STAILQ_REMOVE(&e->callbacks, c, callback, entry);
		*status = e->status < 0 ? e->status : c->type;
	}
	pthread_mutex_unlock(&fake_lock);
	return c;
}

static void
call_back(cl_event e)
{
	struct callback *c;
	cl_int status;

	fake_ref(e);	/* a callback may drop the last one of the caller's */
	while ((c = due(e, &status)) != NULL) {
		c->fn(e, status, c->arg);
		free(c);
	}
	fake_unref(e);
}

void
event_reach(cl_event e, cl_int status)
{
	cl_ulong now = engine_now();

	pthread_mutex_lock(&fake_lock);
	e->status = status;
	if (status == CL_SUBMITTED)
		e->stamp[STAMP_SUBMIT] = now;
	else if (status == CL_RUNNING)
		e->stamp[STAMP_START] = now;
	else
		e->stamp[STAMP_END] = e->stamp[STAMP_COMPLETE] = now;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&fake_lock);
	call_back(e);
}

cl_int
fake_clSetEventCallback(cl_event e, cl_int type,
    void (CL_CALLBACK *fn)(cl_event, cl_int, void *), void *arg)
{
	struct callback *c;

	PLAY();
	CHECK(fake_is(e, KIND_EVENT), CL_INVALID_EVENT);
	CHECK(fn != NULL && type >= CL_COMPLETE && type <= CL_SUBMITTED,
	    CL_INVALID_VALUE);
	if ((c = calloc(1, sizeof(*c))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	c->type = type;
	c->fn = fn;
	c->arg = arg;
	pthread_mutex_lock(&fake_lock);
	STAILQ_INSERT_TAIL(&e->callbacks, c, entry);
	pthread_mutex_unlock(&fake_lock);
	call_back(e);
	return CL_SUCCESS;
}
