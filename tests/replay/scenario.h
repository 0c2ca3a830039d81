/* SPDX-License-Identifier: ISC */
/*
 * scenario - a client made of single messages, and the host that answers.
 *
 * The host is the real serving part of a session (hostd/serve.c) in a child
 * process, with fakecl as its vendor and a pair as its transport.  The test
 * says messages and hears what comes back, one by one and in order, so that
 * what a host must never send is noticed, too.
 *
 * Nothing sleeps: whatever is waited for has a deadline, after which the test
 * fails.  What the host does in the meantime is decided by user events.
 */
#ifndef VGPU_TESTS_REPLAY_SCENARIO_H
#define VGPU_TESTS_REPLAY_SCENARIO_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "protocol/messages.h"
#include "transport/link.h"

#define LANES 2			/* that can join, beside the control lane */
#define DEVICE(n) ((uint64_t)1 << 32 | ((n) + 1))

/* A lane's serving side ends, or the host does: what link_receive said. */
struct heard {
	const struct message *message;
	unsigned flags;
	uint64_t serial;
	uint64_t msg[64];	/* decoded; spans into the lane's buffer */
	const uint8_t *tail;	/* of a data message: its bytes */
};

/* ---- begin and end ------------------------------------------------------- */

/* Start a host whose vendor plays the script (tests/fakecl/README). */
void host_start(const char *script);

/* Have the hosts to come keep builds for a tenant, in a folder. */
void keep_builds(const char *tenant, const char *folder, uint64_t bytes);

/* Start one, and say hello. */
void host_start_ready(const char *script);

/* Leave, and see the host end in order.  Every scenario's last line. */
void host_leave(void);

/*
 * The host says goodbye for this error, with this reason, and ends.
 * What comes before is passed over.
 */
void expect_goodbye(enum vgpu_err, const char *reason);

/* The clock of the processor time that the host has used. */
clockid_t host_cpu_clock(void);

/* For cmocka: a host that is left over is killed. */
int scenario_teardown(void **state);

#define SCENARIO(name) cmocka_unit_test_teardown(name, scenario_teardown)

/* ---- speaking ------------------------------------------------------------ */

struct link *control_lane(void);
struct link *data_lane(void);	/* the lane that joined */

/* Say a message; returns its serial. */
uint64_t say(const struct message *, const void *msg, unsigned flags);

/* Collect messages, so that they arrive together; then say them all. */
void hold(void);
void let_go(void);

/* Write bytes as they are into a lane; flushes. */
void say_bytes(struct link *, const void *, size_t);

/* Have a lane join with the session's token, or (wrong) with another one. */
void join(void);
struct link *try_join(unsigned lane, const void *token, size_t len);

/* n bytes of a transfer from offset on, on the data lane. */
void say_data(uint64_t transfer, uint64_t offset, const void *, size_t n);

/* ---- hearing ------------------------------------------------------------- */

/* The next message on a lane, waited for; fails the test at the deadline. */
const struct heard *hear_on(struct link *);
const struct heard *hear(void);

/* The next message has to be this one. */
const void *expect(const struct message *);

/* The next one is the reply to the call of this serial; returns it. */
const void *expect_reply(const struct message *, uint64_t serial);

/* The next one says how an event ended. */
const struct msg_event_status *expect_status(uint64_t event, cl_int status);

/* The next one says that an object could not be made. */
void expect_object_error(uint64_t object, cl_int code);

/* Nothing has been said since: a question's answer is the next message. */
void expect_nothing(void);

/* Messages heard so far, on the control lane. */
unsigned heard_count(void);

/* A lane that is not welcome is closed. */
void expect_closed(struct link *);

#endif
