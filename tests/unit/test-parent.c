/* SPDX-License-Identifier: ISC */
/*
 * What the parent makes of a session's messages about devices.
 */
#include "hostd/parent.h"

#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/child_private.h"
#include "hostd/parent_private.h"

#define SESSION 5

static struct conf conf = { .max_sessions = 100 };
static struct conf_tenant tenant;
static struct regime regime;
static struct parent p;
static struct child c;
static int session_end;

/* Three devices, of which the session may use the first two. */
static struct pool *
make_pool(void)
{
	struct pool *pool = pool_new();
	struct infoset info, platform;
	unsigned vendor, i;

	infoset_init(&info);
	infoset_init(&platform);
	infoset_put_u64(&info, CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU);
	infoset_put_text(&info, CL_DEVICE_NAME, "Card");
	pool_add_vendor(pool, "/v/one.icd", NULL, &vendor);
	for (i = 0; i < 3; i++)
		assert_int_equal(pool_add_device(pool, vendor, 0, i, &info,
		    &platform), VGPU_OK);
	pool_finish(pool);
	infoset_fini(&info);
	return pool;
}

static int
setup(void **state)
{
	struct err_text text;
	int pair[2];

	(void)state;
	conf.placement = place_policy("least-loaded");
	regime = (struct regime){ .conf = &conf, .pool = make_pool() };
	p = (struct parent){ .ledger = ledger_new(), .now = &regime };
	assert_int_equal(channel_pair(pair, &text), VGPU_OK);
	session_end = pair[1];
	c = (struct child){ .session = SESSION, .channel = pair[0],
		.state = CHILD_SESSION, .start.regime = &regime };
	assert_int_equal(ledger_enter(p.ledger, &conf, &tenant, SESSION, "lab",
	    &text), VGPU_OK);
	ledger_offer(p.ledger, SESSION, 0);
	ledger_offer(p.ledger, SESSION, 1);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	ledger_free(p.ledger);
	pool_free(regime.pool);
	close(c.channel);
	close(session_end);
	return 0;
}

static void
expect_nothing(void)
{
	static struct channel_msg m;

	assert_int_equal(channel_recv(session_end, true, &m, NULL),
	    VGPU_EAGAIN);
}

static void
expect_move(uint32_t from, enum move_why why)
{
	static struct channel_msg m;
	struct channel_move move;

	assert_int_equal(channel_recv(session_end, true, &m, NULL), VGPU_OK);
	assert_int_equal(m.type, CHANNEL_MOVE);
	memcpy(&move, m.bytes, sizeof(move));
	assert_int_equal(move.from, from);
	assert_int_equal(move.to, MOVE_ANYWHERE);
	assert_int_equal(move.why, why);
	assert_int_equal(move.most, 0);
}

static enum vgpu_err
place(unsigned device, unsigned *chosen)
{
	return parent_hooks.place(&p, &c, &device, 1, chosen);
}

static void
only_what_was_offered_is_used(void **state)
{
	unsigned chosen;

	(void)state;
	assert_int_equal(parent_hooks.load(&p, &c, 1, 1), VGPU_OK);
	assert_int_equal(parent_hooks.load(&p, &c, 2, 1), VGPU_EPROTO);
	assert_int_equal(parent_hooks.load(&p, &c, UINT32_MAX, 1),
	    VGPU_EPROTO);
	assert_int_equal(place(0, &chosen), VGPU_OK);
	assert_int_equal(chosen, 0);
	assert_int_equal(place(2, &chosen), VGPU_EPROTO);
	assert_int_equal(ledger_mine(p.ledger, SESSION, 2), 0);
	assert_int_equal(parent_hooks.load(&p, &c, 1, -1), VGPU_OK);
	assert_int_equal(parent_hooks.load(&p, &c, 1, -1), VGPU_EPROTO);
	expect_nothing();
}

static void
what_a_client_sees_first_counts_as_used(void **state)
{
	const struct ledger_note *notes;

	(void)state;
	ledger_expect(p.ledger, SESSION, 0);
	ledger_note(p.ledger, SESSION, 0, NOTE_SHOWN, 0, "found first");
	assert_int_equal(parent_hooks.shown(&p, &c, 2), VGPU_EPROTO);
	assert_int_equal(parent_hooks.shown(&p, &c, UINT32_MAX),
	    VGPU_EPROTO);
	assert_true(ledger_is_user(p.ledger, SESSION, 0));
	assert_int_equal(parent_hooks.shown(&p, &c, 1), VGPU_OK);
	assert_false(ledger_is_user(p.ledger, SESSION, 0));
	assert_true(ledger_is_user(p.ledger, SESSION, 1));
	assert_int_equal(ledger_notes(p.ledger, SESSION, &notes), 1);
	assert_int_equal(notes[0].device, 1);
}

/* The session had decided when the device was drained. */
static void
what_comes_late_to_a_drained_device_leaves_it(void **state)
{
	unsigned chosen;

	(void)state;
	ledger_drain(p.ledger, 1, true);
	assert_int_equal(parent_hooks.load(&p, &c, 1, 1), VGPU_OK);
	expect_move(1, MOVE_DRAIN);
	assert_int_equal(place(1, &chosen), VGPU_OK);
	expect_move(1, MOVE_DRAIN);
	assert_int_equal(parent_hooks.load(&p, &c, 1, -1), VGPU_OK);
	assert_int_equal(parent_hooks.load(&p, &c, 0, 1), VGPU_OK);
	ledger_drain(p.ledger, 1, false);
	assert_int_equal(parent_hooks.load(&p, &c, 1, 1), VGPU_OK);
	expect_nothing();
}

static void
what_comes_late_to_one_that_has_left_leaves_it(void **state)
{
	struct regime later = { .conf = &conf, .pool = pool_new() };

	(void)state;
	p.now = &later;
	assert_int_equal(parent_hooks.load(&p, &c, 1, 1), VGPU_OK);
	expect_move(1, MOVE_LOST);
	pool_free(later.pool);
}

/* ---- who is moved where it is crowded ------------------------------------ */

#define NOW 1000000
#define MINUTE 60000

static struct usage *
add_worker(unsigned session, uint64_t bytes)
{
	struct err_text text;
	struct usage *u;
	int fd;

	assert_int_equal(ledger_enter(p.ledger, &conf, &tenant, session, "lab",
	    &text), VGPU_OK);
	assert_int_equal(usage_new(&u, &fd, &text), VGPU_OK);
	close(fd);
	ledger_set_usage(p.ledger, session, u);
	ledger_use(p.ledger, session, 0, 1);
	usage_add_queued(u, 0, 1);
	usage_add_memory(u, 0, (int64_t)bytes);
	return u;
}

/* Three sessions, the second one with the least memory; one does nothing. */
static void
crowd(void)
{
	add_worker(11, 300);
	add_worker(12, 100);
	add_worker(13, 200);
	usage_add_queued(add_worker(14, 0), 0, -1);
	ledger_look(p.ledger, 1);
}

static unsigned
order_one(int64_t now)
{
	const unsigned session = parent_mover(&p, 0, now);

	ledger_order(p.ledger, session, 0);
	return session;
}

static void
who_does_not_answer_holds_up_no_other(void **state)
{
	(void)state;
	crowd();
	assert_int_equal(parent_mover(&p, 0, NOW), 12);
	assert_int_equal(parent_mover(&p, 1, NOW), 0);
	assert_int_equal(order_one(NOW), 12);
	assert_int_equal(order_one(NOW), 13);
	assert_int_equal(order_one(NOW), 11);
	assert_int_equal(order_one(NOW), 12);
}

static void
who_said_why_it_stays_is_not_asked_for_some_time(void **state)
{
	(void)state;
	crowd();
	ledger_note(p.ledger, 12, 0, NOTE_STAYS, NOW, "its commands take long");
	assert_int_equal(parent_mover(&p, 0, NOW + MINUTE), 13);
	assert_int_equal(parent_mover(&p, 0, NOW + 6 * MINUTE), 12);
	ledger_note(p.ledger, 12, 0, NOTE_STAYS, NOW, "its commands take long");
	ledger_use(p.ledger, 12, 0, -1);
	ledger_use(p.ledger, 12, 0, 1);
	assert_int_equal(parent_mover(&p, 0, NOW + MINUTE), 12);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(only_what_was_offered_is_used),
		TEST(what_a_client_sees_first_counts_as_used),
		TEST(what_comes_late_to_a_drained_device_leaves_it),
		TEST(what_comes_late_to_one_that_has_left_leaves_it),
		TEST(who_does_not_answer_holds_up_no_other),
		TEST(who_said_why_it_stays_is_not_asked_for_some_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
