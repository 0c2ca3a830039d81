/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/callback.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <time.h>

#include "common/clock.h"
#include "icd-vgpu/thread.h"

struct due {
	STAILQ_ENTRY(due) entry;
	callback_function *run;
	void *arg;
};

static STAILQ_HEAD(, due) due_list = STAILQ_HEAD_INITIALIZER(due_list);
static pthread_mutex_t due_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t due_cond = PTHREAD_COND_INITIALIZER;
static bool due_thread;		/* it was started */
static _Thread_local bool is_due_thread;
static atomic_uint_fast64_t queued, done;	/* changed under the lock */
static pthread_cond_t done_cond = PTHREAD_COND_INITIALIZER;
static atomic_bool slow;	/* nobody waits for them any more */

static void
count_done(void)
{
	pthread_mutex_lock(&due_lock);
	done++;
	pthread_cond_broadcast(&done_cond);
	pthread_mutex_unlock(&due_lock);
}

static void *
callback_thread(void *arg)
{
	struct due *due;

	(void)arg;
	is_due_thread = true;
	for (;;) {
		pthread_mutex_lock(&due_lock);
		while ((due = STAILQ_FIRST(&due_list)) == NULL)
			pthread_cond_wait(&due_cond, &due_lock);
		STAILQ_REMOVE_HEAD(&due_list, entry);
		pthread_mutex_unlock(&due_lock);
		due->run(due->arg);
		free(due);
		count_done();
	}
	return NULL;
}

void
callback_queue(callback_function *run, void *arg)
{
	struct due *due = malloc(sizeof(*due));

	if (due == NULL)
		return;
	due->run = run;
	due->arg = arg;
	pthread_mutex_lock(&due_lock);
	STAILQ_INSERT_TAIL(&due_list, due, entry);
	queued++;
	if (!due_thread)
		due_thread = thread_start(callback_thread, NULL);
	pthread_cond_signal(&due_cond);
	pthread_mutex_unlock(&due_lock);
}

void
callback_settle(int64_t ms)
{
	struct timespec until;
	int64_t deadline;
	uint64_t all;
	int code = 0;

	if (done == queued || is_due_thread || slow)
		return;
	deadline = clock_after_ms(ms);
	until.tv_sec = deadline / 1000000000;
	until.tv_nsec = deadline % 1000000000;
	pthread_mutex_lock(&due_lock);
	all = queued;
	while (done < all && code == 0)
		code = pthread_cond_clockwait(&done_cond, &due_lock,
		    CLOCK_MONOTONIC, &until);
	slow = done < all;
	pthread_mutex_unlock(&due_lock);
}

void
callback_fork(enum fork_phase phase)
{
	if (phase == FORK_CHILD) {
		pthread_cond_init(&due_cond, NULL);
		pthread_cond_init(&done_cond, NULL);
		STAILQ_INIT(&due_list);
		/* A callback may fork; then its thread is the child's. */
		due_thread = is_due_thread;
		queued = due_thread;
		done = 0;
	}
	fork_mutex(&due_lock, phase);
}
