/* SPDX-License-Identifier: ISC */
/*
 * floor - what this machine's sockets, OpenSSL and memory allow: round trips
 * of 64 bytes, streams, and copies.
 *
 *	floor list			names, and in one of how many rounds
 *	floor about			the version of OpenSSL
 *	floor run NAME [PERCENT]	one of them
 */
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/floor_link.h"
#include "bench/reply.h"
#include "bench/sample.h"

#define PING_SIZE 64
#define POLL_US 50
#define PIECE (256 * 1024)    /* bytes that a stream's program writes at once */
#define COPY (64 * 1024 * 1024)
#define LANES_MAX 2

struct floor {
	const char *name;
	void (*run)(const struct floor *);
	enum floor_kind kind;
	unsigned count; /* round trips; pieces of each lane; copies */
	double poll_us;
	unsigned lanes;
};

static void
pong(int *fd, unsigned n, const void *arg)
{
	const struct floor *f = arg;
	char data[PING_SIZE];
	struct floor_link l;
	unsigned i;

	(void)n;
	floor_open(&l, f->kind, *fd, true, false);
	l.poll_us = f->poll_us;
	for (i = 0; i < f->count; i++) {
		floor_read(&l, data, sizeof(data));
		floor_write(&l, data, sizeof(data));
	}
	floor_close(&l);
}

static void
ping(const struct floor *f)
{
	char data[PING_SIZE] = "";
	struct floor_link l;
	struct samples s;
	double began;
	int fds[1][2];
	unsigned i;
	pid_t pid;

	floor_pair(f->kind, false, fds[0]);
	pid = floor_fork(fds, 1, pong, f);
	floor_open(&l, f->kind, fds[0][0], false, false);
	l.poll_us = f->poll_us;
	samples_init(&s, f->count);
	for (i = 0; i < f->count; i++) {
		began = now_us();
		floor_write(&l, data, sizeof(data));
		floor_read(&l, data, sizeof(data));
		samples_add(&s, now_us() - began);
	}
	floor_close(&l);
	floor_join(pid);
	reply_value(f->name, NULL, samples_at(&s, 0.5), "us");
	reply_value(f->name, "p99", samples_at(&s, 0.99), "us");
	samples_fini(&s);
}

struct lane {
	const struct floor *floor;
	struct floor_link link;
	bool sends;
	pthread_t thread;
};

static void *
run_lane(void *arg)
{
	struct lane *l = arg;
	char *data = malloc(PIECE), last = 0;
	unsigned i;

	if (data == NULL)
		reply_fail("no memory");
	memset(data, 1, PIECE);
	for (i = 0; i < l->floor->count; i++)
		if (l->sends)
			floor_write(&l->link, data, PIECE);
		else
			floor_read(&l->link, data, PIECE);
	/* the sender's time ends when the receiver has all of it */
	if (l->sends) {
		floor_flush(&l->link);
		floor_read(&l->link, &last, 1);
	} else {
		floor_write(&l->link, &last, 1);
		floor_flush(&l->link);
	}
	free(data);
	return NULL;
}

/* How long n lanes take. */
static double
run_lanes(const struct floor *f, int *fd, unsigned n, bool sends)
{
	struct lane lanes[LANES_MAX];
	double began;
	unsigned i;

	for (i = 0; i < n; i++) {
		lanes[i].floor = f;
		lanes[i].sends = sends;
		floor_open(&lanes[i].link, f->kind, fd[i], !sends, true);
	}
	began = now_us();
	for (i = 0; i < n; i++)
		if (pthread_create(&lanes[i].thread, NULL, run_lane,
		    &lanes[i]) != 0)
			reply_fail("no thread");
	for (i = 0; i < n; i++)
		pthread_join(lanes[i].thread, NULL);
	began = now_us() - began;
	for (i = 0; i < n; i++)
		floor_close(&lanes[i].link);
	return began;
}

static void
receive(int *fd, unsigned n, const void *arg)
{
	run_lanes(arg, fd, n, false);
}

static void
stream(const struct floor *f)
{
	int fds[LANES_MAX][2], ours[LANES_MAX];
	double t;
	unsigned i;
	pid_t pid;

	for (i = 0; i < f->lanes; i++) {
		floor_pair(f->kind, true, fds[i]);
		ours[i] = fds[i][0];
	}
	pid = floor_fork(fds, f->lanes, receive, f);
	t = run_lanes(f, ours, f->lanes, true);
	floor_join(pid);
	reply_value(f->name, NULL, (double)f->count * PIECE * f->lanes / t,
	    "MB/s");
}

static void
copy(const struct floor *f)
{
	char *from = malloc(COPY), *to = malloc(COPY);
	struct samples s;
	double began;
	unsigned i;

	if (from == NULL || to == NULL)
		reply_fail("no memory");
	memset(from, 1, COPY);
	memset(to, 2, COPY);
	samples_init(&s, f->count);
	for (i = 0; i < f->count; i++) {
		began = now_us();
		memcpy(to, from, COPY);
		samples_add(&s, now_us() - began);
		from[i] = to[COPY - 1 - i];
	}
	reply_value(f->name, NULL, COPY / samples_at(&s, 0.5), "MB/s");
	samples_fini(&s);
	free(from);
	free(to);
}

static const struct floor table[] = {
	{ "rtt-tcp", ping, FLOOR_TCP, 3000, POLL_US, 0 },
	{ "rtt-tls", ping, FLOOR_TLS, 3000, POLL_US, 0 },
	{ "rtt-unix", ping, FLOOR_UNIX, 3000, POLL_US, 0 },
	{ "rtt-tcp-asleep", ping, FLOOR_TCP, 1000, 0, 0 },
	{ "rtt-tls-asleep", ping, FLOOR_TLS, 1000, 0, 0 },
	{ "rtt-unix-asleep", ping, FLOOR_UNIX, 1000, 0, 0 },
	{ "stream-tcp", stream, FLOOR_TCP, 1024, 0, 1 },
	{ "stream-tls", stream, FLOOR_TLS, 1024, 0, 1 },
	{ "stream-tls-2", stream, FLOOR_TLS, 512, 0, 2 },
	{ "stream-unix", stream, FLOOR_UNIX, 1024, 0, 1 },
	{ "memcpy", copy, FLOOR_TCP, 5, 0, 0 },
};
#define FLOORS (sizeof(table) / sizeof(table[0]))

static int
run(const char *name, const char *percent)
{
	unsigned long p = percent != NULL ? strtoul(percent, NULL, 10) : 100;
	struct floor f;
	size_t i;

	for (i = 0; i < FLOORS && strcmp(table[i].name, name) != 0; i++)
		;
	if (i == FLOORS || p == 0 || p > 10000) {
		fprintf(stderr, "floor: no \"%s\" at %lu %%\n", name, p);
		return 2;
	}
	f = table[i];
	f.count = (unsigned)(f.count * p / 100);
	if (f.count == 0)
		f.count = 1;
	reply_to(stdout);
	f.run(&f);
	return 0;
}

int
main(int argc, char **argv)
{
	size_t i;

	if (argc == 2 && strcmp(argv[1], "list") == 0) {
		for (i = 0; i < FLOORS; i++)
			printf("%s 1\n", table[i].name);
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "about") == 0) {
		printf("OpenSSL\t%s\n", OpenSSL_version(OPENSSL_VERSION));
		return 0;
	}
	if (argc >= 3 && strcmp(argv[1], "run") == 0)
		return run(argv[2], argv[3]);
	fputs("usage: floor list | about | run NAME [PERCENT]\n", stderr);
	return 2;
}
