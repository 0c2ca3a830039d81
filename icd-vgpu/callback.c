/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/callback.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/queue.h>

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
	if (!due_thread)
		due_thread = thread_start(callback_thread, NULL);
	pthread_cond_signal(&due_cond);
	pthread_mutex_unlock(&due_lock);
}

void
callback_fork(enum fork_phase phase)
{
	if (phase == FORK_CHILD) {
		pthread_cond_init(&due_cond, NULL);
		STAILQ_INIT(&due_list);
		/* A callback may fork; then its thread is the child's. */
		due_thread = is_due_thread;
	}
	fork_mutex(&due_lock, phase);
}
