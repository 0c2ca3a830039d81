/* SPDX-License-Identifier: ISC */
#include "hostd/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

#include "hostd/serve.h"

/* Compilers recurse deeply. */
#define STACK_BYTES ((size_t)16 << 20)

struct task {
	STAILQ_ENTRY(task) entry;
	struct serve *serve;
	void (*work)(void *);
	void (*done)(struct serve *, void *);
	void *arg;
};

static STAILQ_HEAD(, task) tasks = STAILQ_HEAD_INITIALIZER(tasks);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static unsigned workers, idle;

static void *
worker_thread(void *arg)
{
	struct task *t;

	(void)arg;
	for (;;) {
		pthread_mutex_lock(&lock);
		idle++;
		while ((t = STAILQ_FIRST(&tasks)) == NULL)
			pthread_cond_wait(&more, &lock);
		idle--;
		STAILQ_REMOVE_HEAD(&tasks, entry);
		pthread_mutex_unlock(&lock);
		t->work(t->arg);
		serve_defer(t->serve, t->done, t->arg);
		free(t);
	}
	return NULL;
}

/* One more, if all are at work; the lock is held. */
static void
start_worker(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (workers == WORKERS_MAX || idle > 0 ||
	    pthread_attr_init(&attr) != 0)
		return;
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attr, worker_thread, NULL) == 0)
		workers++;
	pthread_attr_destroy(&attr);
}

bool
worker_run(struct serve *s, void (*work)(void *),
    void (*done)(struct serve *, void *), void *arg)
{
	struct task *t = malloc(sizeof(*t));
	bool ok;

	if (t == NULL)
		return false;
	*t = (struct task){ .serve = s, .work = work, .done = done,
		.arg = arg };
	pthread_mutex_lock(&lock);
	start_worker();
	if ((ok = workers > 0)) {
		STAILQ_INSERT_TAIL(&tasks, t, entry);
		pthread_cond_signal(&more);
	} else
		free(t);
	pthread_mutex_unlock(&lock);
	return ok;
}
