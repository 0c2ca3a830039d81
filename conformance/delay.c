/* SPDX-License-Identifier: ISC */
/*
 * delay - puts distance between a command and its vgpu host.
 *
 *	vgpu-run delay [--rate MBIT] MS COMMAND [ARGUMENT...]
 *
 * A proxy on loopback stands in for the host that VGPU_HOST names.  Whatever
 * arrives, in either direction, goes on MS milliseconds later: each message
 * takes that much longer, and a wait for an answer twice that.  Order is kept.
 * --rate limits each direction of all connections together to so many
 * megabits a second.  It ends with the command's exit status.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>

#include "common/clock.h"

#define SCHEME "vgpu://"
#define MS_MAX 60000
#define OWN_FAILURE 125
/* What one direction holds; beyond, the sender waits for the receiver. */
#define HELD_MAX ((size_t)256 << 20)
#define RATE_MAX 100000
/* Beside what is on its way: what waits before a slow link. */
#define QUEUE_LEN (128 << 10)

/* Bytes that arrived together; none: the end. */
struct chunk {
	TAILQ_ENTRY(chunk) link;
	struct evbuffer *bytes;
	int64_t due;		/* ns */
};

/* One direction of a connection. */
struct way {
	struct connection *connection;
	struct bufferevent *from, *to;
	TAILQ_HEAD(, chunk) chunks;
	size_t held;		/* in chunks */
	struct event *timer;
	int64_t *busy;		/* until when the link is, in ns */
	bool ending;		/* nothing comes any more */
	bool ended;		/* and that was passed on */
};

struct connection {
	struct bufferevent *client, *host;
	struct way up, down;
};

static struct event_base *base;
static struct sockaddr_storage host_address;
static int host_address_len = sizeof(host_address);
static long delay_ms, rate_mbit;
static int64_t busy_up, busy_down;
static size_t held_max = HELD_MAX;
static pid_t command;
static int command_status;

static void __attribute__((noreturn))
fail(const char *what)
{
	fprintf(stderr, "delay: %s: %s\n", what, strerror(errno));
	exit(OWN_FAILURE);
}

static void *
must(void *p, const char *what)
{
	if (p == NULL)
		fail(what);
	return p;
}

static void
chunk_free(struct way *w, struct chunk *c)
{
	TAILQ_REMOVE(&w->chunks, c, link);
	evbuffer_free(c->bytes);
	free(c);
}

static void
way_fini(struct way *w)
{
	while (!TAILQ_EMPTY(&w->chunks))
		chunk_free(w, TAILQ_FIRST(&w->chunks));
	event_free(w->timer);
}

static void
connection_free(struct connection *c)
{
	way_fini(&c->up);
	way_fini(&c->down);
	bufferevent_free(c->client);
	bufferevent_free(c->host);
	free(c);
}

/* The timer is for the first chunk. */
static void
set_timer(struct way *w)
{
	struct chunk *c = TAILQ_FIRST(&w->chunks);
	struct timeval wait = { 0, 0 };
	int64_t us;

	if (c == NULL)
		return;
	if ((us = (c->due - clock_ns() + 999) / 1000) > 0) {
		wait.tv_sec = us / 1000000;
		wait.tv_usec = us % 1000000;
	}
	event_add(w->timer, &wait);
}

/* When n bytes that arrive now have gone through the link, in ns. */
static int64_t
pass_link(struct way *w, size_t n)
{
	int64_t now = clock_ns();

	if (rate_mbit == 0)
		return now;
	if (*w->busy < now)
		*w->busy = now;
	*w->busy += (int64_t)n * 8000 / rate_mbit;
	return *w->busy;
}

/* Keep what is in the input, or the end. */
static void
keep(struct way *w)
{
	struct chunk *c = must(calloc(1, sizeof(*c)), "memory");

	c->bytes = must(evbuffer_new(), "memory");
	evbuffer_add_buffer(c->bytes, bufferevent_get_input(w->from));
	c->due = pass_link(w, evbuffer_get_length(c->bytes)) +
	    delay_ms * INT64_C(1000000);
	w->held += evbuffer_get_length(c->bytes);
	TAILQ_INSERT_TAIL(&w->chunks, c, link);
	if (TAILQ_FIRST(&w->chunks) == c)
		set_timer(w);
	if (w->held > held_max)
		bufferevent_disable(w->from, EV_READ);
}

/* Pass the end on when all before it is written. */
static void
pass_end(struct way *w)
{
	struct connection *c = w->connection;

	if (!w->ending || w->ended || !TAILQ_EMPTY(&w->chunks) ||
	    evbuffer_get_length(bufferevent_get_output(w->to)) > 0)
		return;
	w->ended = true;
	shutdown(bufferevent_getfd(w->to), SHUT_WR);
	if (c->up.ended && c->down.ended)
		connection_free(c);
}

static void
on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct way *w = arg;
	struct chunk *c;

	(void)fd;
	(void)what;
	while ((c = TAILQ_FIRST(&w->chunks)) != NULL && c->due <= clock_ns()) {
		w->held -= evbuffer_get_length(c->bytes);
		bufferevent_write_buffer(w->to, c->bytes);
		chunk_free(w, c);
	}
	if (w->held <= held_max && !w->ending)
		bufferevent_enable(w->from, EV_READ);
	set_timer(w);
	pass_end(w);
}

/* The direction that reads from b, or that writes to it. */
static struct way *
way_from(struct connection *c, const struct bufferevent *b)
{
	return b == c->client ? &c->up : &c->down;
}

static struct way *
way_to(struct connection *c, const struct bufferevent *b)
{
	return b == c->client ? &c->down : &c->up;
}

static void
on_read(struct bufferevent *b, void *arg)
{
	keep(way_from(arg, b));
}

static void
on_written(struct bufferevent *b, void *arg)
{
	pass_end(way_to(arg, b));
}

static void
on_event(struct bufferevent *b, short what, void *arg)
{
	struct way *w = way_from(arg, b);

	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) == 0 || w->ending)
		return;
	w->ending = true;
	keep(w);
	if ((what & BEV_EVENT_ERROR) != 0) {
		/* nothing can be written there either */
		w = way_to(arg, b);
		w->ending = true;
		keep(w);
	}
}

static void
way_init(struct way *w, struct connection *c, struct bufferevent *from,
    struct bufferevent *to, int64_t *busy)
{
	w->connection = c;
	w->busy = busy;
	w->from = from;
	w->to = to;
	TAILQ_INIT(&w->chunks);
	w->timer = must(evtimer_new(base, on_timer, w), "timer");
}

static struct bufferevent *
new_end(evutil_socket_t fd, struct connection *c)
{
	struct bufferevent *b = must(bufferevent_socket_new(base, fd,
	    BEV_OPT_CLOSE_ON_FREE), "connection");

	bufferevent_setcb(b, on_read, on_written, on_event, c);
	return b;
}

static void
send_at_once(struct bufferevent *b)
{
	const int yes = 1, small = QUEUE_LEN;

	setsockopt(bufferevent_getfd(b), IPPROTO_TCP, TCP_NODELAY, &yes,
	    sizeof(yes));
	/* What waits should wait at the sender. */
	if (rate_mbit > 0)
		setsockopt(bufferevent_getfd(b), SOL_SOCKET, SO_RCVBUF,
		    &small, sizeof(small));
}

static void
on_accept(struct evconnlistener *l, evutil_socket_t fd, struct sockaddr *from,
    int len, void *arg)
{
	struct connection *c = must(calloc(1, sizeof(*c)), "memory");

	(void)l;
	(void)from;
	(void)len;
	(void)arg;
	c->client = new_end(fd, c);
	c->host = new_end(-1, c);
	way_init(&c->up, c, c->client, c->host, &busy_up);
	way_init(&c->down, c, c->host, c->client, &busy_down);
	if (bufferevent_socket_connect(c->host,
	    (struct sockaddr *)&host_address, host_address_len) != 0) {
		connection_free(c);
		return;
	}
	send_at_once(c->client);
	send_at_once(c->host);
	bufferevent_enable(c->client, EV_READ | EV_WRITE);
	bufferevent_enable(c->host, EV_READ | EV_WRITE);
}

/* Listen, and let VGPU_HOST name this port. */
static void
stand_in(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	struct evconnlistener *l;
	char text[64];

	l = must(evconnlistener_new_bind(base, on_accept, NULL,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, -1,
	    (struct sockaddr *)&a, sizeof(a)), "cannot listen on loopback");
	if (getsockname(evconnlistener_get_fd(l), (struct sockaddr *)&a,
	    &len) != 0)
		fail("getsockname");
	snprintf(text, sizeof(text), SCHEME "127.0.0.1:%u",
	    ntohs(a.sin_port));
	setenv("VGPU_HOST", text, 1);
}

static void
on_signal(evutil_socket_t signal, short what, void *arg)
{
	int status;

	(void)what;
	(void)arg;
	if (signal != SIGCHLD) {
		kill(command, (int)signal);
		return;
	}
	if (waitpid(command, &status, WNOHANG) != command)
		return;
	command_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
	    WEXITSTATUS(status);
	event_base_loopbreak(base);
}

static void
start(char **argv)
{
	static const int signals[] = { SIGCHLD, SIGHUP, SIGINT, SIGTERM };
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		event_add(must(evsignal_new(base, signals[i], on_signal,
		    NULL), "signal"), NULL);
	if ((command = fork()) < 0)
		fail("fork");
	if (command > 0)
		return;
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	execvp(argv[0], argv);
	fprintf(stderr, "delay: %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* False: not a number from 1 to RATE_MAX. */
static bool
take_rate(const char *text)
{
	char *end;

	rate_mbit = strtol(text, &end, 10);
	if (end == text || *end != '\0' || rate_mbit < 1 ||
	    rate_mbit > RATE_MAX)
		return false;
	return true;
}

/* Twice there and back at that rate, and a queue. */
static void
limit_held(void)
{
	if (rate_mbit > 0)
		held_max = (size_t)rate_mbit * 125 * (size_t)delay_ms * 4 +
		    QUEUE_LEN;
}

/* The loop's usual clock has steps of some milliseconds. */
static struct event_base *
precise_loop(void)
{
	struct event_config *how = must(event_config_new(), "event loop");
	struct event_base *loop;

	event_config_set_flag(how, EVENT_BASE_FLAG_PRECISE_TIMER);
	loop = event_base_new_with_config(how);
	event_config_free(how);
	return loop;
}

int
main(int argc, char **argv)
{
	const char *host = getenv("VGPU_HOST");
	char *end = NULL;
	bool ok = true;

	if (argc >= 3 && strcmp(argv[1], "--rate") == 0) {
		ok = take_rate(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (ok && argc >= 3)
		delay_ms = strtol(argv[1], &end, 10);
	if (end == NULL || *end != '\0' || delay_ms < 0 ||
	    delay_ms > MS_MAX) {
		fprintf(stderr, "usage: delay [--rate megabits] milliseconds "
		    "command [argument]...\n");
		return 2;
	}
	limit_held();
	if (host == NULL || strncmp(host, SCHEME, strlen(SCHEME)) != 0 ||
	    evutil_parse_sockaddr_port(host + strlen(SCHEME),
	    (struct sockaddr *)&host_address, &host_address_len) != 0) {
		fprintf(stderr, "delay: VGPU_HOST \"%s\": expected " SCHEME
		    "ADDRESS:PORT\n", host != NULL ? host : "");
		return OWN_FAILURE;
	}
	signal(SIGPIPE, SIG_IGN);
	base = must(precise_loop(), "event loop");
	stand_in();
	start(argv + 2);
	event_base_dispatch(base);
	return command_status;
}
