/* SPDX-License-Identifier: ISC */
/*
 * moving - what scenarios of contexts that move begin with: a context of a
 * class device with objects of several kinds, whose arguments are set once and
 * for all.
 */
#ifndef VGPU_TESTS_REPLAY_MOVING_H
#define VGPU_TESTS_REPLAY_MOVING_H

#include "hostd/channel.h"
#include "tests/replay/host.h"
#include "tests/replay/objects.h"

#define MOVING "devices 4 gpu; unarmed"
#define MOVING_SOURCE "kernel void where(global int *out) {}\n" \
	"kernel void copy(global int *in, global int *out) {}\n" \
	"kernel void alive(global int *out) {}\n" \
	"kernel void fail() {}\n" \
	"kernel void sleep(ulong ns) {}\n" \
	"kernel void arm() {}\n"
#define DEADLINE_MS 10000

extern struct moving {
	uint64_t context, queue, program, in, out, part, number;
	uint64_t copy, where, alive, arm, fail;
} w;
extern const uint32_t four_words[4];	/* of w.in */

/* Start a host that shows its devices as one, make all that, and arm faults. */
void begin_moving(const char *script);
/* One more of each, in w. */
void make_moving(void);

/* Use what is in w. */
void run_once(uint64_t kernel);
void read_and_expect(uint64_t buffer, size_t offset, const void *, size_t);
void expect_on(uint32_t device);
/* All works as it did before, also without its arguments being set again. */
void expect_working(uint32_t device);

/* How many objects the vendor has, when all that goes has gone. */
uint32_t fewest_alive(void);
void expect_alive(uint32_t);

/* Order what is on a device to leave it; and what is told of that next. */
void order_move(uint32_t from);
struct channel_moved ordered(uint32_t from);
/* What comes of an order in the end: a device, or MOVE_ANYWHERE. */
uint32_t moved_to(void);

/* For cmocka. */
int moving_teardown(void **state);
#define MOVE_SCENARIO(name) cmocka_unit_test_teardown(name, moving_teardown)

#endif
