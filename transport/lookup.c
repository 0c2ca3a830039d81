/* SPDX-License-Identifier: ISC */
#include "transport/lookup.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "common/clock.h"

/* Shared by who waits and the thread; freed by the one that comes last. */
struct lookup {
	pthread_mutex_t lock;
	pthread_cond_t answered;
	bool done, abandoned;
	int code, error; /* of getaddrinfo; errno */
	struct addrinfo *result;
	char port[8];
	char host[];
};

static int
resolve(const char *host, const char *port, int flags, struct addrinfo **out)
{
	struct addrinfo hints;

	memset(&hints, 0, sizeof(hints));
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = flags | AI_NUMERICSERV;
	return getaddrinfo(host, port, &hints, out);
}

static struct lookup *
lookup_new(const char *host, const char *port)
{
	size_t n = strlen(host) + 1;
	struct lookup *l = calloc(1, sizeof(*l) + n);
	pthread_condattr_t attr;

	if (l == NULL)
		return NULL;
	pthread_mutex_init(&l->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&l->answered, &attr);
	pthread_condattr_destroy(&attr);
	snprintf(l->port, sizeof(l->port), "%s", port);
	memcpy(l->host, host, n);
	return l;
}

static void
lookup_free(struct lookup *l)
{
	if (l->result != NULL)
		freeaddrinfo(l->result);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->answered);
	free(l);
}

static void *
lookup_run(void *arg)
{
	struct addrinfo *result = NULL;
	struct lookup *l = arg;
	bool abandoned;
	int code;

	code = resolve(l->host, l->port, 0, &result);
	pthread_mutex_lock(&l->lock);
	l->error = errno;
	l->code = code;
	l->result = result;
	l->done = true;
	abandoned = l->abandoned;
	pthread_cond_signal(&l->answered);
	pthread_mutex_unlock(&l->lock);
	if (abandoned)
		lookup_free(l);
	return NULL;
}

/* In a guest, signals are the program's own business. */
static int
start_without_signals(struct lookup *l)
{
	pthread_attr_t attr;
	sigset_t all, old;
	pthread_t thread;
	int error;

	sigfillset(&all);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	error = pthread_create(&thread, &attr, lookup_run, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return error;
}

/* False at the deadline; l is then the thread's. */
static bool
wait_answered(struct lookup *l, int64_t deadline)
{
	struct timespec ts = { (time_t)(deadline / 1000000000),
		(long)(deadline % 1000000000) };
	bool done;

	pthread_mutex_lock(&l->lock);
	while (!l->done && clock_ns() < deadline)
		(void)pthread_cond_timedwait(&l->answered, &l->lock, &ts);
	done = l->done;
	l->abandoned = !done;
	pthread_mutex_unlock(&l->lock);
	return done;
}

static enum vgpu_err
lookup_name(const char *host, const char *port, int64_t deadline,
    struct addrinfo **out, struct err_text *err)
{
	struct lookup *l = lookup_new(host, port);
	enum vgpu_err e = VGPU_OK;
	int error;

	if (l == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory for a lookup");
	if ((error = start_without_signals(l)) != 0) {
		lookup_free(l);
		errno = error;
		return err_sys(err, "cannot look up \"%s\"", host);
	}
	if (!wait_answered(l, deadline))
		return err_set(err, VGPU_ETIME,
		    "no answer in time when looking up \"%s\"", host);
	if (l->code == EAI_SYSTEM) {
		errno = l->error;
		e = err_sys(err, "cannot look up \"%s\"", host);
	} else if (l->code != 0) {
		e = err_set(err, VGPU_ESYS, "cannot look up \"%s\": %s", host,
		    gai_strerror(l->code));
	} else {
		*out = l->result;
		l->result = NULL;
	}
	lookup_free(l);
	return e;
}

enum vgpu_err
lookup_host(const char *host, uint32_t port, int64_t deadline,
    struct addrinfo **out, struct err_text *err)
{
	char text[8];

	snprintf(text, sizeof(text), "%u", port & 0xffff);
	if (resolve(host, text, AI_NUMERICHOST, out) == 0)
		return VGPU_OK;
	return lookup_name(host, text, deadline, out, err);
}
