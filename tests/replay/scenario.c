/* SPDX-License-Identifier: ISC */
#include "tests/replay/scenario.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/replay/host.h"
#include "transport/pair.h"

#define DEADLINE_MS 10000	/* generous: sanitizers, busy machines */

static struct host host;
static const char *playing;	/* its script */
static struct link *control, *lane[LANES], *joined;
static bool held;
static uint64_t serial;
static struct heard heard;
static unsigned count;

/* ---- begin and end ------------------------------------------------------- */

void
host_start(const char *script)
{
	struct transport *ends[1 + LANES];
	unsigned i;

	playing = script;
	host_spawn(&host, script, ends, 1 + LANES);
	control = link_new(ends[0], FRAME_MAX);
	for (i = 0; i < LANES; i++) {
		lane[i] = link_new(ends[1 + i], FRAME_MAX);
		link_set_streamed(lane[i], MSG_data, sizeof(struct msg_data));
	}
	joined = NULL;
	held = false;
	serial = 0;
	count = 0;
}

void
host_start_ready(const char *script)
{
	const struct msg_hello m = { .version_min = PROTOCOL_VERSION_MIN,
		.version_max = PROTOCOL_VERSION_MAX,
		.software = { "replay", 6 } };

	host_start(script);
	say(&desc_hello, &m, 0);
	expect(&desc_welcome);
}

static void
close_lanes(void)
{
	unsigned i;

	link_free(control, true);
	for (i = 0; i < LANES; i++)
		link_free(lane[i], true);
	control = joined = NULL;
	memset(lane, 0, sizeof(lane));
}

static void
expect_end(void)
{
	int status = host_wait(&host, clock_after_ms(DEADLINE_MS));

	if (WIFSIGNALED(status))
		fail_msg("the host died of signal %d (%s)", WTERMSIG(status),
		    playing);
	assert_int_equal(WEXITSTATUS(status), 0);
}

void
host_leave(void)
{
	close_lanes();
	expect_end();
}

void
expect_goodbye(enum vgpu_err e, const char *reason)
{
	const struct msg_goodbye *m;

	do
		hear();
	while (heard.message != &desc_goodbye);
	m = (const void *)heard.msg;
	assert_string_equal(m->reason.p, reason);
	assert_int_equal(m->error, e);
	expect_end();
	close_lanes();
}

clockid_t
host_cpu_clock(void)
{
	clockid_t clock;

	assert_int_equal(clock_getcpuclockid(host.pid, &clock), 0);
	return clock;
}

int
scenario_teardown(void **state)
{
	(void)state;
	host_kill(&host);
	close_lanes();
	return 0;
}

/* ---- speaking ------------------------------------------------------------ */

struct link *
control_lane(void)
{
	return control;
}

struct link *
data_lane(void)
{
	return joined;
}

/* A host that is gone may have said why: who hears next learns it. */
static void
flush(struct link *l)
{
	struct err_text text;
	enum vgpu_err e;

	e = link_flush_wait(l, clock_after_ms(DEADLINE_MS), &text);
	if (e != VGPU_OK && e != VGPU_ECLOSED)
		fail_msg("cannot send: %s", text.s);
}

static void
send_on(struct link *l, const struct message *m, const void *msg,
    unsigned flags, uint64_t number)
{
	struct buf *b = link_begin(l, m->number, (uint16_t)flags, number);

	enum vgpu_err e;

	codec_encode(b, m->fields, m->field_count, msg);
	e = link_end(l);
	assert_true(e == VGPU_OK || e == VGPU_ECLOSED);
}

uint64_t
say(const struct message *m, const void *msg, unsigned flags)
{
	send_on(control, m, msg, flags, ++serial);
	if (!held)
		flush(control);
	return serial;
}

void
hold(void)
{
	held = true;
}

void
let_go(void)
{
	held = false;
	flush(control);
}

void
say_bytes(struct link *l, const void *bytes, size_t n)
{
	ssize_t put = write(link_fd(l), bytes, n);

	assert_int_equal(put, n);
}

struct link *
try_join(unsigned i, const void *token, size_t len)
{
	const struct msg_join m = { .token = { token, len } };

	send_on(lane[i], &desc_join, &m, 0, 0);
	flush(lane[i]);
	return lane[i];
}

void
join(void)
{
	uint8_t token[TRANSPORT_TOKEN_LEN];
	struct transport *t = link_transport(control);

	assert_int_equal(t->ops->token(t, token, NULL), VGPU_OK);
	joined = try_join(0, token, sizeof(token));
	assert_ptr_equal(hear_on(joined)->message, &desc_joined);
}

void
say_data(uint64_t transfer, uint64_t offset, const void *p, size_t n)
{
	const struct msg_data m = { transfer, offset, n };
	struct err_text text;

	if (link_send_body(joined, MSG_data, 0, 0, &m, sizeof(m), p, n,
	    clock_after_ms(DEADLINE_MS), &text) != VGPU_OK)
		fail_msg("cannot send data: %s", text.s);
}

/* ---- hearing ------------------------------------------------------------- */

/* The reply to an async call that asked for it has just a status. */
static const struct field status_only = { .name = "status",
	.kind = FIELD_I32, .length_field = -1 };

static void
decode(const struct frame *f)
{
	const struct message *m = message_find(f->type);
	const struct field *fields;
	struct err_text text;
	unsigned n;
	size_t len = f->len;

	assert_non_null(m);
	fields = m->fields;
	n = m->field_count;
	if (f->flags & FRAME_REPLY) {
		fields = m->reply_count > 0 ? m->reply : &status_only;
		n = m->reply_count > 0 ? m->reply_count : 1;
	}
	heard.tail = NULL;
	if (m == &desc_data) {
		assert_true(len >= sizeof(struct msg_data));
		heard.tail = f->body + sizeof(struct msg_data);
		len = sizeof(struct msg_data);
	}
	heard.message = m;
	heard.flags = f->flags;
	heard.serial = f->serial;
	if (codec_decode(f->body, len, fields, n, heard.msg, &text) != VGPU_OK)
		fail_msg("the host's %s: %s", m->name, text.s);
}

static void
wait_readable(struct link *l, int64_t deadline)
{
	struct pollfd p = { link_fd(l), POLLIN, 0 };

	if (poll(&p, 1, clock_poll_ms(deadline)) == 0)
		fail_msg("the host says nothing (%s)", playing);
}

const struct heard *
hear_on(struct link *l)
{
	int64_t deadline = clock_after_ms(DEADLINE_MS);
	struct err_text text;
	struct frame f;
	enum vgpu_err e;

	while ((e = link_receive(l, &f, &text)) == VGPU_EAGAIN)
		wait_readable(l, deadline);
	if (e != VGPU_OK)
		fail_msg("the host is gone: %s (%s)", text.s, playing);
	decode(&f);
	return &heard;
}

const struct heard *
hear(void)
{
	count++;
	return hear_on(control);
}

unsigned
heard_count(void)
{
	return count;
}

const void *
expect(const struct message *m)
{
	hear();
	if (heard.message != m || (heard.flags & FRAME_REPLY))
		fail_msg("heard %s%s, expected %s", heard.message->name,
		    heard.flags & FRAME_REPLY ? "'s reply" : "", m->name);
	return heard.msg;
}

const void *
expect_reply(const struct message *m, uint64_t number)
{
	hear();
	if (heard.message != m || !(heard.flags & FRAME_REPLY) ||
	    heard.serial != number)
		fail_msg("heard %s%s, expected the reply to %s",
		    heard.message->name, heard.flags & FRAME_REPLY ?
		    "'s reply" : "", m->name);
	return heard.msg;
}

const struct msg_event_status *
expect_status(uint64_t event, cl_int status)
{
	const struct msg_event_status *m = expect(&desc_event_status);

	assert_int_equal(m->event, event);
	assert_int_equal(m->execution_status, status);
	return m;
}

void
expect_object_error(uint64_t object, cl_int code)
{
	const struct msg_object_error *m = expect(&desc_object_error);

	assert_int_equal(m->object, object);
	assert_int_equal(m->code, code);
	assert_true(m->reason.n > 0);
}

void
expect_nothing(void)
{
	const struct msg_clGetHostTimer m = { .device = { .id = DEVICE(0) } };

	expect_reply(&desc_clGetHostTimer, say(&desc_clGetHostTimer, &m, 0));
}

void
expect_closed(struct link *l)
{
	int64_t deadline = clock_after_ms(DEADLINE_MS);
	struct frame f;
	enum vgpu_err e;

	while ((e = link_receive(l, &f, NULL)) == VGPU_EAGAIN)
		wait_readable(l, deadline);
	assert_int_equal(e, VGPU_ECLOSED);
}
