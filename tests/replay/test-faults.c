/* SPDX-License-Identifier: ISC */
/*
 * A vendor whose calls fail, one after the other: the session goes on, or ends
 * with a reason, but never hangs, dies or forgets to answer.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/fakecl/object.h"
#include "tests/replay/objects.h"

#define SIZE 4096u
#define SOURCE "kernel void add(global int *a, global int *b, " \
	"global int *out) {}\nkernel void say(int n) { printf(\"\"); }\n"

static uint8_t content[SIZE];

/* ---- what a call may fail with --------------------------------------------- */

#define CALLS_MAX 64
#define CODES_MAX 24

static struct faulty {
	char name[64];
	int code[CODES_MAX];
	unsigned count;
} calls[CALLS_MAX];
static unsigned call_count;

/* Of fakecl/codes. */
static int
read_codes(void **state)
{
	FILE *f = fopen(FAKECL_CODES, "re");
	char line[256], *rest, *word;
	struct faulty *c;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (line[0] == '#')
			continue;
		assert_true(call_count < CALLS_MAX);
		c = &calls[call_count++];
		word = strtok_r(line, " \n", &rest);
		snprintf(c->name, sizeof(c->name), "%s", word);
		while ((word = strtok_r(NULL, " \n", &rest)) != NULL) {
			assert_true(c->count < CODES_MAX);
			c->code[c->count++] = atoi(word);
		}
	}
	fclose(f);
	assert_true(call_count > 40);
	return 0;
}

/* ---- what is played ---------------------------------------------------------- */

static void
build(uint64_t program)
{
	const struct msg_clBuildProgram m = { .program = { .id = program } };

	say(&desc_clBuildProgram, &m, 0);
}

static uint64_t
sub_buffer(uint64_t b)
{
	const struct msg_clCreateSubBuffer m = { .buffer = { .id = b },
		.buffer_create_type = CL_BUFFER_CREATE_TYPE_REGION,
		.size = 1024, .id = { .id = new_id() } };

	say(&desc_clCreateSubBuffer, &m, 0);
	return m.id.id;
}

static void
copy_and_fill(uint64_t q, uint64_t from, uint64_t to)
{
	const struct msg_clEnqueueCopyBuffer copy = {
		.command_queue = { .id = q }, .src_buffer = { .id = from },
		.dst_buffer = { .id = to }, .size = 1024,
		.event = { .id = new_id() } };
	const struct msg_clEnqueueFillBuffer fill = {
		.command_queue = { .id = q }, .buffer = { .id = to },
		.size = 1024, .pattern_bytes = { "abcd", 4 } };

	say(&desc_clEnqueueCopyBuffer, &copy, 0);
	say(&desc_clEnqueueFillBuffer, &fill, 0);
}

static const uint64_t origin[3], region[3] = { 16, 4, 1 };

/* Rectangles of 4 rows of 16 bytes. */
static void
rectangles(uint64_t q, uint64_t from, uint64_t to)
{
	const struct msg_clEnqueueWriteBufferRect write = {
		.command_queue = { .id = q }, .buffer = { .id = from },
		.buffer_origin = { origin, 3 }, .region = { region, 3 },
		.buffer_row_pitch = 32, .buffer_slice_pitch = 128,
		.data = { content, 64 } };
	const struct msg_clEnqueueCopyBufferRect copy = {
		.command_queue = { .id = q }, .src_buffer = { .id = from },
		.dst_buffer = { .id = to }, .src_origin = { origin, 3 },
		.dst_origin = { origin, 3 }, .region = { region, 3 },
		.src_row_pitch = 32, .src_slice_pitch = 128,
		.dst_row_pitch = 16, .dst_slice_pitch = 64 };
	const struct msg_clEnqueueReadBufferRect read = {
		.command_queue = { .id = q }, .buffer = { .id = to },
		.buffer_origin = { origin, 3 }, .region = { region, 3 },
		.buffer_row_pitch = 16, .buffer_slice_pitch = 64,
		.event = { .id = new_id() }, .transfer = 8 };

	say(&desc_clEnqueueWriteBufferRect, &write, 0);
	say(&desc_clEnqueueCopyBufferRect, &copy, 0);
	say(&desc_clEnqueueReadBufferRect, &read, FRAME_NOTIFY);
}

/* Map, change and unmap 64 bytes; and have it elsewhere. */
static void
map_and_migrate(uint64_t q, uint64_t b)
{
	const struct msg_clEnqueueMapBuffer map = {
		.command_queue = { .id = q }, .buffer = { .id = b },
		.map_flags = CL_MAP_READ | CL_MAP_WRITE, .size = 64,
		.event = { .id = new_id() }, .transfer = 9 };
	const struct msg_clEnqueueUnmapMemObject unmap = {
		.command_queue = { .id = q }, .memobj = { .id = b },
		.event = { .id = new_id() },
		.map_flags = CL_MAP_READ | CL_MAP_WRITE,
		.origin = { origin, 3 },
		.region = { (uint64_t[]){ 64, 1, 1 }, 3 },
		.data = { content, 64 } };
	const struct msg_clEnqueueMigrateMemObjects migrate = {
		.command_queue = { .id = q }, .mem_objects = { &b, 1 } };

	say(&desc_clEnqueueMapBuffer, &map, FRAME_NOTIFY);
	say(&desc_clEnqueueUnmapMemObject, &unmap, 0);
	say(&desc_clEnqueueMigrateMemObjects, &migrate, 0);
}

static void
launches(uint64_t c, uint64_t q, uint64_t b)
{
	const int n = 1;
	const struct arg add[] = { { 0, ARG_MEM, 8, &b }, { 1, ARG_MEM, 8, &b },
		{ 2, ARG_MEM, 8, &b } };
	const struct arg text[] = { { 0, ARG_VALUE, sizeof(n), &n } };
	uint64_t p = source_program(c, SOURCE), k;

	build(p);
	k = kernel(p, "add");
	launch(q, k, 16, add, 3, AFTER_NOTHING, QUIET);
	launch(q, k, 16, NULL, 0, AFTER_NOTHING, TELL);
	launch(q, kernel(p, "say"), 1, text, 1, AFTER_NOTHING, NO_EVENT);
}

static uint64_t released;

static bool
was_released(uint64_t id)
{
	return id == released;
}

/* A little of everything, without waiting for anything. */
static void
play(void)
{
	uint64_t c = context(), q, other, b, gate, e;

	q = queue(c, CL_QUEUE_PROFILING_ENABLE);
	other = queue(c, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	b = buffer_with(c, content, SIZE);
	gate = user_event(c);
	launches(c, q, b);
	e = write_inline(q, b, 0, content, SIZE, AFTER(gate), QUIET);
	write_body(other, b, 0, SIZE, 5, AFTER(e), TELL, 0);
	barrier(other, AFTER(e), NO_EVENT);
	copy_and_fill(q, b, sub_buffer(b));
	rectangles(q, b, buffer(c, 64));
	map_and_migrate(q, b);
	read_buffer(q, b, 0, SIZE, 6, AFTER_NOTHING, TELL);
	watch(marker(q, AFTER_NOTHING, QUIET), 7);
	set_user_event(gate, CL_COMPLETE);
	release(gate);
	released = gate;
	finish(other);
}

/* The answers to both finishes; false: a goodbye. */
static bool
hear_answers(uint64_t first, uint64_t last)
{
	const struct heard *h;
	unsigned answers = 0;

	do {
		h = hear();
		if (h->message == &desc_goodbye)
			return false;
		if (h->message == &desc_clFinish && (h->flags & FRAME_REPLY))
			answers += h->serial == first || h->serial == last;
	} while (answers < 2);
	return true;
}

/* ---- what is left ------------------------------------------------------------ */

/* How many objects of each kind the vendor has. */
static char tally_file[] = "/tmp/fakecl-tally.XXXXXX";
static const atomic_int *tally;

static void
open_tally(void)
{
	int fd;

	strcpy(strrchr(tally_file, '.'), ".XXXXXX");
	assert_true((fd = mkstemp(tally_file)) >= 0);
	assert_int_equal(ftruncate(fd, KINDS * sizeof(*tally)), 0);
	tally = mmap(NULL, KINDS * sizeof(*tally), PROT_READ, MAP_SHARED, fd,
	    0);
	assert_ptr_not_equal(tally, MAP_FAILED);
	close(fd);
}

static void
close_tally(void)
{
	munmap((void *)(uintptr_t)tally, KINDS * sizeof(*tally));
	unlink(tally_file);
}

static bool
nothing_is_left(void)
{
	unsigned i;

	for (i = 0; i < KINDS; i++)
		if (tally[i] != 0)
			return false;
	return true;
}

static unsigned goodbyes, leaks;

/* All that the client has is released; then the vendor has nothing, soon. */
static void
release_all(uint64_t from, const char *script)
{
	/* All that leave something are told, the first one after a while. */
	const int64_t deadline = clock_after_ms(leaks > 0 ? 200 : 10000);
	const uint64_t end = new_id();
	uint64_t id;

	hold();
	for (id = from + 1; id < end; id++)
		if (!was_released(id))
			release(id);
	let_go();
	while (!nothing_is_left()) {
		if (clock_ns() > deadline) {
			leaks++;
			print_error("%s: %d contexts, %d queues, %d buffers, "
			    "%d programs, %d kernels, %d events are left\n",
			    script, tally[KIND_CONTEXT - KIND_PLATFORM],
			    tally[KIND_QUEUE - KIND_PLATFORM],
			    tally[KIND_MEM - KIND_PLATFORM],
			    tally[KIND_PROGRAM - KIND_PLATFORM],
			    tally[KIND_KERNEL - KIND_PLATFORM],
			    tally[KIND_EVENT - KIND_PLATFORM]);
			return;
		}
		poll(NULL, 0, 1);
	}
}

/* ---- the faults -------------------------------------------------------------- */

static void
play_with(const char *faults)
{
	const uint64_t from = new_id();
	uint64_t first, last, q;
	char script[256];

	open_tally();
	snprintf(script, sizeof(script), "devices 4 gpu; tally %s; %s",
	    tally_file, faults);
	host_start_ready(script);
	join();
	hold();
	play();
	/* What failed once does not fail for ever. */
	q = queue(context(), 0);
	first = finish(q);
	marker(q, AFTER_NOTHING, TELL);
	last = finish(q);
	let_go();
	say_data(5, 0, content, SIZE);
	if (hear_answers(first, last))
		release_all(from, faults);
	else
		goodbyes++;
	host_leave();
	close_tally();
}

static void
without_faults_the_session_goes_on(void **state)
{
	(void)state;
	play_with("");
	assert_int_equal(goodbyes, 0);
}

static void
any_call_may_fail_once_with_any_code(void **state)
{
	const struct faulty *c;
	char faults[128];
	unsigned i, after;

	(void)state;
	goodbyes = 0;
	for (c = calls; c < calls + call_count; c++)
		for (i = 0; i < c->count; i++)
			for (after = 0; after < 4; after++) {
				snprintf(faults, sizeof(faults),
				    "fail %.63s %d after %u", c->name,
				    c->code[i], after);
				play_with(faults);
			}
	/* A launch with arguments of a kernel that has none: no client does. */
	assert_in_range(goodbyes, 0, 1);
	assert_int_equal(leaks, 0);
}

/* Also those of which nobody has heard. */
static void
any_command_may_end_in_any_error(void **state)
{
	static const int codes[] = { -1, -4, -5, -6, -14, -59, -9999,
		INT32_MIN };
	const struct faulty *c;
	char faults[128];
	unsigned i, after;

	(void)state;
	goodbyes = 0;
	for (c = calls; c < calls + call_count; c++) {
		if (strncmp(c->name, "clEnqueue", 9) != 0)
			continue;
		for (i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			for (after = 0; after < 3; after++) {
				snprintf(faults, sizeof(faults),
				    "%send %.63s %d after %u",
				    after == 2 ? "fail-early; " : "",
				    c->name, codes[i], after);
				play_with(faults);
			}
	}
	assert_int_equal(goodbyes, 0);
	assert_int_equal(leaks, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(without_faults_the_session_goes_on),
		SCENARIO(any_call_may_fail_once_with_any_code),
		SCENARIO(any_command_may_end_in_any_error),
	};

	return cmocka_run_group_tests(tests, read_codes, NULL);
}
