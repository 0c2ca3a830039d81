/* SPDX-License-Identifier: ISC */
/*
 * Vendors that say that a device is not available: the client gets that error,
 * and the parent hears of the device.
 */
#include <stdio.h>

#include "common/clock.h"
#include "tests/replay/host.h"
#include "tests/replay/objects.h"

#define DEADLINE_MS 10000
#define SOURCE "kernel void where(global int *out) {}\n"

/* Each of a program's calls once; what fails is told, and passed over. */
static void
play(const char *call, int code)
{
	struct msg_clBuildProgram build = { .program = { .id = 0 } };
	const struct msg_clEnqueueCopyBuffer copy = { .size = 4,
		.dst_offset = 4 };
	struct msg_clEnqueueCopyBuffer m = copy;
	char script[96];
	uint64_t c, q, b, k;
	struct arg number;

	snprintf(script, sizeof(script), "devices 4 gpu; %s %d times 9",
	    call, code);
	host_start_ready(script);
	c = context();
	q = queue(c, 0);
	b = buffer(c, 16);
	build.program.id = source_program(c, SOURCE);
	say(&desc_clBuildProgram, &build, 0);
	k = kernel(build.program.id, "where");
	number = (struct arg){ 0, ARG_MEM, 8, &b };
	launch(q, k, 1, &number, 1, AFTER_NOTHING, TELL);
	m.command_queue.id = q;
	m.src_buffer.id = m.dst_buffer.id = b;
	say(&desc_clEnqueueCopyBuffer, &m, 0);
	user_event(c);
	finish(q);
}

static const char *const calls[] = { "fail clCreateContext",
	"fail clCreateCommandQueueWithProperties", "fail clCreateBuffer",
	"fail clCreateProgramWithSource", "fail clBuildProgram",
	"fail clCreateKernel", "fail clEnqueueNDRangeKernel",
	"fail clEnqueueCopyBuffer", "fail clCreateUserEvent",
	"end clEnqueueNDRangeKernel", "fail clFlush" };
#define CALLS (sizeof(calls) / sizeof(calls[0]))

static void
whichever_call_says_so(void **state)
{
	unsigned i;

	(void)state;
	for (i = 0; i < CALLS; i++) {
		play(calls[i], CL_DEVICE_NOT_AVAILABLE);
		assert_int_equal(host_lost(clock_after_ms(DEADLINE_MS)), 0);
		scenario_teardown(NULL);
	}
}

/* What is heard next is the answer to something else. */
static void
no_other_error_is_told(void **state)
{
	unsigned i;

	(void)state;
	/* but of clFlush, with which the session ends */
	for (i = 0; i < CALLS - 1; i++) {
		play(calls[i], CL_OUT_OF_RESOURCES);
		while (hear()->message != &desc_clFinish)
			;
		host_shut(0);
		scenario_teardown(NULL);
	}
}

static void
a_device_that_may_not_be_used_is_not_lost(void **state)
{
	(void)state;
	host_start_ready("devices 4 gpu");
	host_shut(0xf);
	expect_object_error(context(), CL_DEVICE_NOT_AVAILABLE);
	host_shut(0);
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(whichever_call_says_so),
		SCENARIO(no_other_error_is_told),
		SCENARIO(a_device_that_may_not_be_used_is_not_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
