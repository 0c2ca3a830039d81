/* SPDX-License-Identifier: ISC */
/*
 * Programs, kernels and what they print.
 */
#include <string.h>

#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu; "
#define SOURCE \
	"kernel void add(global int *a, global int *b, global int *out) {}\n" \
	"__kernel void copy(__global const int *in, global int *out) {}\n" \
	"kernel void say(int n) { printf(\"say %d\\n\", n); }\n" \
	"kernel void sleep(ulong ns) {}\n" \
	"kernel void fail(void) {}\n" \
	"kernel void quiet(local float4 *scratch) {}\n"

static uint64_t c, q, p;

static void
begin(const char *script, cl_command_queue_properties properties)
{
	host_start_ready(script);
	c = context();
	q = queue(c, properties);
	p = program(c, SOURCE);
}

static struct arg
memory(uint32_t index, const uint64_t *id)
{
	return (struct arg){ index, ARG_MEM, sizeof(*id), id };
}

static struct arg
number(uint32_t index, const int *n)
{
	return (struct arg){ index, ARG_VALUE, sizeof(*n), n };
}

static uint64_t
launch_say(int n, enum telling t)
{
	const struct arg args[] = { number(0, &n) };

	return launch(q, kernel(p, "say"), 1, args, 1, AFTER_NOTHING, t);
}

static void
expect_output(const char *text)
{
	const struct msg_output *m = expect(&desc_output);

	assert_string_equal(m->text.p, text);
}

/* ---- builds -------------------------------------------------------------- */

static uint64_t
say_build(uint64_t program, const char *options)
{
	const struct msg_clBuildProgram m = { .program = { .id = program },
		.options = { options, strlen(options) } };

	return say(&desc_clBuildProgram, &m, 0);
}

static uint64_t
say_program(const char *source)
{
	const struct msg_clCreateProgramWithSource m = {
		.context = { .id = c }, .source = { source, strlen(source) },
		.id = { .id = new_id() } };

	say(&desc_clCreateProgramWithSource, &m, 0);
	return m.id.id;
}

/* The kernel of this name in a build's reply, and its n-th argument. */
static void
find_kernel(struct span list, const char *name, unsigned n,
    struct msg_kernel_record *k, struct msg_arg_record *arg)
{
	struct span element, args;

	while (list_next(&list, &element)) {
		assert_int_equal(codec_decode(element.p, element.n,
		    desc_kernel_record.fields, desc_kernel_record.field_count,
		    k, NULL), VGPU_OK);
		if (strcmp(k->name.p, name) != 0)
			continue;
		args = k->args;
		do
			assert_true(list_next(&args, &element));
		while (n-- > 0);
		assert_int_equal(codec_decode(element.p, element.n,
		    desc_arg_record.fields, desc_arg_record.field_count, arg,
		    NULL), VGPU_OK);
		return;
	}
	fail_msg("the build has no kernel %s", name);
}

static void
a_build_tells_all_about_its_kernels(void **state)
{
	const struct reply_clBuildProgram *r;
	struct msg_kernel_record k;
	struct msg_arg_record arg;

	(void)state;
	begin(FAKE, 0);
	r = expect_reply(&desc_clBuildProgram, say_build(say_program(SOURCE),
	    "-cl-kernel-arg-info"));
	assert_int_equal(r->status, CL_SUCCESS);
	assert_int_equal(r->devices.n, 1);
	assert_int_equal(r->kernels.n, 6);
	find_kernel(r->kernels, "add", 2, &k, &arg);
	assert_int_equal(k.args.n, 3);
	assert_int_equal(arg.arg_kind, ARG_MEM);
	assert_string_equal(arg.type.p, "int*");
	assert_string_equal(arg.name.p, "out");
	find_kernel(r->kernels, "say", 0, &k, &arg);
	assert_int_equal(arg.arg_kind, ARG_VALUE);
	assert_int_equal(arg.size, 4);
	find_kernel(r->kernels, "sleep", 0, &k, &arg);
	assert_int_equal(arg.size, 8);
	find_kernel(r->kernels, "quiet", 0, &k, &arg);
	assert_int_equal(arg.arg_kind, ARG_LOCAL);
	host_leave();
}

/* What a build with these options says of arguments' names. */
static uint64_t
arg_info_with(const char *options)
{
	const struct reply_clBuildProgram *r;
	struct msg_kernel_record k;
	struct msg_arg_record arg;

	r = expect_reply(&desc_clBuildProgram, say_build(say_program(SOURCE),
	    options));
	assert_int_equal(r->status, CL_SUCCESS);
	find_kernel(r->kernels, "add", 2, &k, &arg);
	if (k.arg_info != 0)
		assert_string_equal(arg.name.p, "out");
	assert_int_equal(arg.arg_kind, ARG_MEM);
	return k.arg_info;
}

/* Does the vendor tell without the option? */
static uint64_t
ask_arg_info(void)
{
	const struct msg_arg_info m = { .device = { .id = DEVICE(1) } };
	const struct reply_arg_info *r;

	r = expect_reply(&desc_arg_info, say(&desc_arg_info, &m, 0));
	assert_int_equal(r->status, CL_SUCCESS);
	return r->always;
}

static void
names_of_arguments_are_known_and_told_where_the_vendor_tells(void **state)
{
	(void)state;
	begin(FAKE, 0);
	assert_int_equal(arg_info_with("-cl-kernel-arg-info"), 1);
	assert_int_equal(arg_info_with(""), 2);
	assert_int_equal(ask_arg_info(), 1);
	host_leave();
}

static void
a_vendor_that_tells_nothing_of_arguments_is_taken_at_its_word(void **state)
{
	(void)state;
	begin(FAKE "fail clGetKernelArgInfo -19 times 9999", 0);
	assert_int_equal(arg_info_with("-cl-kernel-arg-info"), 0);
	assert_int_equal(arg_info_with(""), 0);
	assert_int_equal(ask_arg_info(), 0);
	host_leave();
}

static void
a_failed_build_tells_why(void **state)
{
	const struct reply_clBuildProgram *r;
	struct msg_build_record b;
	struct span element;
	uint64_t broken;

	(void)state;
	begin(FAKE, 0);
	broken = say_program("#error no good\n");
	r = expect_reply(&desc_clBuildProgram, say_build(broken, ""));
	assert_int_equal(r->status, CL_BUILD_PROGRAM_FAILURE);
	assert_true(list_next(&((struct reply_clBuildProgram *)
	    (uintptr_t)r)->devices, &element));
	assert_int_equal(codec_decode(element.p, element.n,
	    desc_build_record.fields, desc_build_record.field_count, &b,
	    NULL), VGPU_OK);
	assert_int_equal(b.build_status, CL_BUILD_ERROR);
	assert_non_null(strstr(b.log.p, "#error no good"));
	host_leave();
}

static void
a_kernel_of_another_name_is_an_object_error(void **state)
{
	uint64_t k, e;

	(void)state;
	begin(FAKE, 0);
	k = kernel(p, "nonesuch");
	expect_object_error(k, CL_INVALID_KERNEL_NAME);
	e = launch(q, k, 1, NULL, 0, AFTER_NOTHING, QUIET);
	expect_status(e, CL_INVALID_KERNEL_NAME);
	host_leave();
}

static void
what_needs_a_program_waits_for_its_build(void **state)
{
	uint64_t build, k, e, serial;

	(void)state;
	begin(FAKE, 0);
	hold();
	p = say_program(SOURCE);
	build = say_build(p, "");
	k = kernel(p, "fail");
	e = launch(q, k, 1, NULL, 0, AFTER_NOTHING, QUIET);
	serial = finish(q);
	let_go();
	expect_reply(&desc_clBuildProgram, build);
	expect_status(e, CL_OUT_OF_RESOURCES);
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

static void
a_compiler_that_hangs_does_not_stop_the_session(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE "hang clBuildProgram after 1", 0);
	say_build(say_program(SOURCE), "");
	e = launch(q, kernel(p, "fail"), 1, NULL, 0, AFTER_NOTHING, TELL);
	expect_status(e, CL_OUT_OF_RESOURCES);
	expect_nothing();
	host_leave();
}

/* ---- launches ------------------------------------------------------------ */

static void
a_launch_loop_with_one_finish_is_answered_by_one_message(void **state)
{
	const uint32_t ones[] = { 1, 1, 1, 1 };
	const uint32_t sums[] = { 1001, 1001, 1001, 1001 };
	uint64_t one = 0, sum = 0, k, serial, e;
	struct arg args[3];
	unsigned i, before;

	(void)state;
	begin(FAKE, 0);
	one = buffer_with(c, ones, sizeof(ones));
	sum = buffer_with(c, ones, sizeof(ones));
	args[0] = memory(0, &one);
	args[1] = memory(1, &sum);
	args[2] = memory(2, &sum);
	k = kernel(p, "add");
	before = heard_count();
	hold();
	/* What is set once stays set. */
	for (i = 0; i < 1000; i++)
		launch(q, k, 4, args, i == 0 ? 3 : 0, AFTER_NOTHING, QUIET);
	serial = finish(q);
	let_go();
	expect_finish(serial, CL_SUCCESS);
	assert_int_equal(heard_count() - before, 1);
	e = read_buffer(q, sum, 0, sizeof(sums), 9, AFTER_NOTHING, TELL);
	expect_data(9, sums, sizeof(sums));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
an_argument_is_the_one_that_was_set_at_the_launch(void **state)
{
	const uint32_t ones[] = { 1 }, twos[] = { 2 };
	uint64_t one, two, out, k, gate, e;
	struct arg args[2];

	(void)state;
	begin(FAKE, 0);
	one = buffer_with(c, ones, sizeof(ones));
	two = buffer_with(c, twos, sizeof(twos));
	out = buffer(c, sizeof(ones));
	k = kernel(p, "copy");
	gate = user_event(c);
	args[0] = memory(0, &one);
	args[1] = memory(1, &out);
	launch(q, k, 1, args, 2, AFTER(gate), QUIET);
	e = read_buffer(q, out, 0, sizeof(ones), 9, AFTER_NOTHING, TELL);
	args[0] = memory(0, &two);
	launch(q, k, 1, args, 1, AFTER_NOTHING, QUIET);
	release(one);
	set_user_event(gate, CL_COMPLETE);
	expect_data(9, ones, sizeof(ones));
	expect_status(e, CL_COMPLETE);
	e = read_buffer(q, out, 0, sizeof(ones), 10, AFTER_NOTHING, TELL);
	expect_data(10, twos, sizeof(twos));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
a_poisoned_argument_fails_the_launch_until_it_is_replaced(void **state)
{
	const uint32_t ones[] = { 1 };
	uint64_t bad, good, k, e;
	struct arg args[2];

	(void)state;
	begin(FAKE "fail clCreateBuffer -4", 0);
	bad = buffer(c, sizeof(ones));
	expect_object_error(bad, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	good = buffer_with(c, ones, sizeof(ones));
	k = kernel(p, "copy");
	args[0] = memory(0, &good);
	args[1] = memory(1, &bad);
	e = launch(q, k, 1, args, 2, AFTER_NOTHING, QUIET);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	e = launch(q, k, 1, NULL, 0, AFTER_NOTHING, QUIET);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	args[1] = memory(1, &good);
	e = launch(q, k, 1, args + 1, 1, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	host_leave();
}

/* The client does not say again what it said with a launch that failed. */
static void
arguments_of_a_launch_that_fails_are_set_all_the_same(void **state)
{
	const uint32_t ones[] = { 1 };
	uint64_t one, out, k, failed, e;
	struct arg args[2];

	(void)state;
	begin(FAKE "fail clEnqueueMarkerWithWaitList -5", 0);
	one = buffer_with(c, ones, sizeof(ones));
	out = buffer(c, sizeof(ones));
	k = kernel(p, "copy");
	failed = marker(q, AFTER_NOTHING, QUIET);
	expect_status(failed, CL_OUT_OF_RESOURCES);
	args[0] = memory(0, &one);
	args[1] = memory(1, &out);
	e = launch(q, k, 1, args, 2, AFTER(failed), QUIET);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	launch(q, k, 1, NULL, 0, AFTER_NOTHING, QUIET);
	e = read_buffer(q, out, 0, sizeof(ones), 9, AFTER_NOTHING, TELL);
	expect_data(9, ones, sizeof(ones));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
a_kernel_that_fails_ends_its_event_with_the_code(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE, 0);
	e = launch(q, kernel(p, "fail"), 1, NULL, 0, AFTER_NOTHING, TELL);
	expect_status(e, CL_OUT_OF_RESOURCES);
	e = launch(q, kernel(p, "say"), 1, NULL, 0, AFTER_NOTHING, QUIET);
	expect_status(e, CL_INVALID_KERNEL_ARGS);
	host_leave();
}

static void
time_stamps_show_how_long_a_kernel_took(void **state)
{
	const cl_ulong ns = 5000000;
	const struct arg args[] = { { 0, ARG_VALUE, sizeof(ns), &ns } };
	const struct msg_event_status *m;
	const uint64_t *stamp;
	uint64_t e;

	(void)state;
	begin(FAKE "fake-clock", CL_QUEUE_PROFILING_ENABLE);
	e = launch(q, kernel(p, "sleep"), 1, args, 1, AFTER_NOTHING, TELL);
	m = expect_status(e, CL_COMPLETE);
	stamp = m->stamps.p;
	assert_int_equal(m->stamps.n, 5);
	assert_int_equal(stamp[3] - stamp[2], ns + 1000);
	host_leave();
}

static void
an_argument_of_another_kind_ends_the_session(void **state)
{
	const uint64_t address = 4096;
	const struct arg args[] = { { 0, ARG_VALUE, 8, &address } };

	(void)state;
	begin(FAKE, 0);
	launch(q, kernel(p, "copy"), 1, args, 1, AFTER_NOTHING, QUIET);
	expect_goodbye(VGPU_EPROTO, "kernel has no argument 0 of kind 0");
}

static void
an_argument_too_many_ends_the_session(void **state)
{
	const int n = 1;
	const struct arg args[] = { number(1, &n) };

	(void)state;
	begin(FAKE, 0);
	launch(q, kernel(p, "say"), 1, args, 1, AFTER_NOTHING, QUIET);
	expect_goodbye(VGPU_EPROTO, "kernel has no argument 1 of kind 0");
}

static void
an_argument_that_names_no_buffer_ends_the_session(void **state)
{
	struct arg args[1];

	(void)state;
	begin(FAKE, 0);
	args[0] = memory(0, &q);
	launch(q, kernel(p, "copy"), 1, args, 1, AFTER_NOTHING, QUIET);
	expect_goodbye(VGPU_EPROTO,
	    "argument 0 of a kernel names no such object");
}

/* ---- printing ------------------------------------------------------------ */

static void
what_is_printed_comes_before_finish_returns(void **state)
{
	uint64_t serial;

	(void)state;
	begin(FAKE, 0);
	hold();
	launch_say(42, QUIET);
	serial = finish(q);
	let_go();
	expect_output("say 42\n");
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

static void
what_is_printed_comes_before_its_events_end(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE, 0);
	e = launch_say(1, TELL);
	expect_output("say 1\n");
	expect_status(e, CL_COMPLETE);
	e = launch_say(2, TELL);
	expect_output("say 2\n");
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
what_is_printed_comes_without_being_asked_for(void **state)
{
	(void)state;
	begin(FAKE, 0);
	launch_say(3, QUIET);
	expect_output("say 3\n");
	host_leave();
}

static void
what_is_printed_comes_whole_and_in_order(void **state)
{
	static const char line[] =
	    "a-line-of-sixty-letters-so-that-all-of-them-fill-the-pipe-xx\n";
	const size_t n = 20000, total = n * (sizeof(line) - 1);
	uint64_t k;
	const struct heard *h;
	const struct msg_output *m;
	const char *text;
	size_t i, got = 0;

	(void)state;
	begin(FAKE "print-on-kernel "
	    "a-line-of-sixty-letters-so-that-all-of-them-fill-the-pipe-xx", 0);
	k = kernel(p, "quiet");
	hold();
	for (i = 0; i < n; i++)
		launch(q, k, 1, (const struct arg[]){ { 0, ARG_LOCAL, 16,
		    NULL } }, 1, AFTER_NOTHING, QUIET);
	finish(q);
	let_go();
	while ((h = hear())->message == &desc_output) {
		m = (const void *)h->msg;
		text = m->text.p;
		for (i = 0; i < m->text.n; i++)
			if (text[i] != line[(got + i) % (sizeof(line) - 1)])
				fail_msg("garbled at %zu", got + i);
		got += m->text.n;
	}
	assert_ptr_equal(h->message, &desc_clFinish);
	assert_int_equal(got, total);
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(a_build_tells_all_about_its_kernels),
		SCENARIO(
		    names_of_arguments_are_known_and_told_where_the_vendor_tells),
		SCENARIO(
		    a_vendor_that_tells_nothing_of_arguments_is_taken_at_its_word),
		SCENARIO(a_failed_build_tells_why),
		SCENARIO(a_kernel_of_another_name_is_an_object_error),
		SCENARIO(what_needs_a_program_waits_for_its_build),
		SCENARIO(a_compiler_that_hangs_does_not_stop_the_session),
		SCENARIO(
		    a_launch_loop_with_one_finish_is_answered_by_one_message),
		SCENARIO(an_argument_is_the_one_that_was_set_at_the_launch),
		SCENARIO(
		    a_poisoned_argument_fails_the_launch_until_it_is_replaced),
		SCENARIO(
		    arguments_of_a_launch_that_fails_are_set_all_the_same),
		SCENARIO(a_kernel_that_fails_ends_its_event_with_the_code),
		SCENARIO(time_stamps_show_how_long_a_kernel_took),
		SCENARIO(an_argument_of_another_kind_ends_the_session),
		SCENARIO(an_argument_too_many_ends_the_session),
		SCENARIO(an_argument_that_names_no_buffer_ends_the_session),
		SCENARIO(what_is_printed_comes_before_finish_returns),
		SCENARIO(what_is_printed_comes_before_its_events_end),
		SCENARIO(what_is_printed_comes_without_being_asked_for),
		SCENARIO(what_is_printed_comes_whole_and_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
