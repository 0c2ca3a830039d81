/* SPDX-License-Identifier: ISC */
#include "tests/replay/moving.h"

#include <string.h>

#include "common/clock.h"

#define TRIES 10

struct moving w;
const uint32_t four_words[4] = { 11, 22, 33, 44 };
static uint64_t transfer;

int
moving_teardown(void **state)
{
	host_view = VIEW_PHYSICAL;
	host_usage = NULL;
	host_place = NULL;
	host_step_ms = 0;
	return scenario_teardown(state);
}

static uint64_t
sub_buffer(uint64_t b, size_t origin, size_t size)
{
	const struct msg_clCreateSubBuffer m = { .buffer = { .id = b },
		.buffer_create_type = CL_BUFFER_CREATE_TYPE_REGION,
		.origin = origin, .size = size, .id = { .id = new_id() } };

	say(&desc_clCreateSubBuffer, &m, 0);
	return m.id.id;
}

void
run_once(uint64_t k)
{
	launch(w.queue, k, 1, NULL, 0, AFTER_NOTHING, NO_EVENT);
	expect_finish(finish(w.queue), CL_SUCCESS);
}

/* Arguments are set here, once and for all. */
void
make_moving(void)
{
	struct arg copy[] = { { 0, ARG_MEM, 8, &w.in }, { 1, ARG_MEM, 8,
		&w.part } };
	const struct arg number = { 0, ARG_MEM, 8, &w.number };

	w.context = context();
	w.queue = queue(w.context, 0);
	w.in = buffer_with(w.context, four_words, sizeof(four_words));
	w.out = buffer(w.context, 2 * sizeof(four_words));
	w.part = sub_buffer(w.out, sizeof(four_words), sizeof(four_words));
	w.number = buffer(w.context, 4);
	w.program = program(w.context, MOVING_SOURCE);
	w.copy = kernel(w.program, "copy");
	w.where = kernel(w.program, "where");
	w.alive = kernel(w.program, "alive");
	w.arm = kernel(w.program, "arm");
	w.fail = kernel(w.program, "fail");
	launch(w.queue, w.copy, 4, copy, 2, AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.where, 1, &number, 1, AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.alive, 1, &number, 1, AFTER_NOTHING, NO_EVENT);
	release(w.program);
}

void
begin_moving(const char *script)
{
	host_view = VIEW_CLASS;
	host_start_ready(script);
	make_moving();
	run_once(w.arm);
}

void
read_and_expect(uint64_t b, size_t offset, const void *p, size_t size)
{
	uint64_t e = read_buffer(w.queue, b, offset, size, ++transfer,
	    AFTER_NOTHING, TELL);

	expect_data(transfer, p, size);
	expect_status(e, CL_COMPLETE);
	release(e);
}

void
expect_on(uint32_t device)
{
	run_once(w.where);
	read_and_expect(w.number, 0, &device, sizeof(device));
}

static uint32_t
alive(void)
{
	const struct heard *h;
	uint32_t n;
	uint64_t e;

	run_once(w.alive);
	e = read_buffer(w.queue, w.number, 0, sizeof(n), ++transfer,
	    AFTER_NOTHING, TELL);
	h = hear();
	assert_ptr_equal(h->message, &desc_data);
	memcpy(&n, h->tail, sizeof(n));
	expect_status(e, CL_COMPLETE);
	release(e);
	return n;
}

/* The fewest of some times: the vendor's thread drops references late. */
uint32_t
fewest_alive(void)
{
	uint32_t fewest = UINT32_MAX, now;
	unsigned i;

	for (i = 0; i < TRIES; i++)
		if ((now = alive()) < fewest)
			fewest = now;
	return fewest;
}

void
expect_alive(uint32_t n)
{
	unsigned i;

	for (i = 0; i < 100 * TRIES; i++)
		if (alive() == n)
			return;
	fail_msg("%u objects, not %u", (unsigned)alive(), (unsigned)n);
}

/* All works as it did before, also without its arguments being set again. */
void
expect_working(uint32_t device)
{
	static const uint32_t zeros[4];

	expect_on(device);
	read_and_expect(w.in, 0, four_words, sizeof(four_words));
	read_and_expect(w.out, sizeof(four_words), four_words,
	    sizeof(four_words));
	write_inline(w.queue, w.out, sizeof(four_words), zeros, sizeof(zeros),
	    AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.copy, 4, NULL, 0, AFTER_NOTHING, NO_EVENT);
	read_and_expect(w.out, sizeof(four_words), four_words,
	    sizeof(four_words));
}

void
order_move(uint32_t from)
{
	const struct channel_move m = { .from = from, .to = MOVE_ANYWHERE,
		.why = MOVE_DRAIN };

	host_move(&m);
}

struct channel_moved
ordered(uint32_t from)
{
	struct channel_moved m;

	order_move(from);
	host_moved(&m, clock_after_ms(DEADLINE_MS));
	assert_int_equal(m.from, from);
	return m;
}

/* What comes of it in the end. */
uint32_t
moved_to(void)
{
	struct channel_moved m;

	do
		host_moved(&m, clock_after_ms(DEADLINE_MS));
	while (m.again);
	return m.to;
}
