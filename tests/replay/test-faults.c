/* SPDX-License-Identifier: ISC */
/*
 * A vendor whose calls fail, one after the other: the session goes on, or ends
 * with a reason, but never hangs, dies or forgets to answer.
 */
#include <stdio.h>
#include <string.h>

#include "tests/replay/objects.h"

#define SIZE 4096u
#define SOURCE "kernel void add(global int *a, global int *b, " \
	"global int *out) {}\nkernel void say(int n) { printf(\"\"); }\n"

static uint8_t content[SIZE];

/* All that the serving part calls, but for releases, which do not fail. */
static const char *const calls[] = {
	"clIcdGetPlatformIDsKHR", "clGetDeviceIDs", "clGetDeviceInfo",
	"clCreateContext", "clCreateCommandQueueWithProperties",
	"clCreateBuffer", "clCreateSubBuffer", "clCreateUserEvent",
	"clSetUserEventStatus", "clSetEventCallback", "clGetEventInfo",
	"clGetEventProfilingInfo", "clFlush", "clCreateProgramWithSource",
	"clBuildProgram", "clGetProgramInfo", "clGetProgramBuildInfo",
	"clCreateKernel", "clCreateKernelsInProgram", "clSetKernelArg",
	"clGetKernelInfo", "clGetKernelArgInfo", "clGetKernelWorkGroupInfo",
	"clEnqueueNDRangeKernel", "clEnqueueReadBuffer",
	"clEnqueueWriteBuffer", "clEnqueueFillBuffer", "clEnqueueCopyBuffer",
	"clEnqueueMarkerWithWaitList", "clEnqueueBarrierWithWaitList",
};

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
	read_buffer(q, b, 0, SIZE, 6, AFTER_NOTHING, TELL);
	watch(marker(q, AFTER_NOTHING, QUIET), 7);
	set_user_event(gate, CL_COMPLETE);
	release(gate);
	finish(other);
}

/* The answers to both finishes, or a goodbye. */
static void
expect_answers(uint64_t first, uint64_t last)
{
	const struct heard *h;
	unsigned answers = 0;

	do {
		h = hear();
		if (h->message == &desc_goodbye)
			return;
		if (h->message == &desc_clFinish && (h->flags & FRAME_REPLY))
			answers += h->serial == first || h->serial == last;
	} while (answers < 2);
}

static void
play_with(const char *script)
{
	uint64_t first, last, q;

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
	expect_answers(first, last);
	host_leave();
}

static void
without_faults_the_session_goes_on(void **state)
{
	(void)state;
	play_with("devices 4 gpu");
}

static void
any_call_may_fail_once(void **state)
{
	char script[128];
	unsigned i, after;

	(void)state;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (after = 0; after < 4; after++) {
			snprintf(script, sizeof(script),
			    "devices 4 gpu; fail %s -6 after %u", calls[i],
			    after);
			play_with(script);
		}
}

static void
any_command_may_end_in_an_error(void **state)
{
	char script[128];
	unsigned i, after;

	(void)state;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strncmp(calls[i], "clEnqueue", 9) != 0)
			continue;
		for (after = 0; after < 3; after++) {
			snprintf(script, sizeof(script),
			    "devices 4 gpu; %send %s -5 after %u",
			    after == 2 ? "fail-early; " : "", calls[i], after);
			play_with(script);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(without_faults_the_session_goes_on),
		SCENARIO(any_call_may_fail_once),
		SCENARIO(any_command_may_end_in_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
