/* SPDX-License-Identifier: ISC */
/*
 * Programs, their builds, and what kernels print.
 */
#include <string.h>

#include "tests/replay/world.h"

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
	begin_program(FAKE, 0);
	r = expect_reply(&desc_clBuildProgram, say_build(source_program(c,
	    source), "-cl-kernel-arg-info"));
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

/* As Intel's runtime, where not all devices were built for. */
static void
kernels_that_can_not_be_made_at_once_are_made_by_name(void **state)
{
	const struct reply_clBuildProgram *r;
	struct msg_kernel_record k;
	struct msg_arg_record arg;

	(void)state;
	begin_program(FAKE "fail clCreateKernelsInProgram -45 times 1", 0);
	r = expect_reply(&desc_clBuildProgram, say_build(source_program(c,
	    source), "-cl-kernel-arg-info"));
	assert_int_equal(r->status, CL_SUCCESS);
	assert_int_equal(r->kernels.n, 6);
	find_kernel(r->kernels, "add", 2, &k, &arg);
	assert_int_equal(arg.arg_kind, ARG_MEM);
	host_leave();
}

/* What a build with these options says of arguments' names. */
static uint64_t
arg_info_with(const char *options)
{
	const struct reply_clBuildProgram *r;
	struct msg_kernel_record k;
	struct msg_arg_record arg;

	r = expect_reply(&desc_clBuildProgram, say_build(source_program(c,
	    source), options));
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
	begin_program(FAKE, 0);
	assert_int_equal(arg_info_with("-cl-kernel-arg-info"), 1);
	assert_int_equal(arg_info_with(""), 2);
	assert_int_equal(ask_arg_info(), 1);
	host_leave();
}

static void
a_vendor_that_tells_nothing_of_arguments_is_taken_at_its_word(void **state)
{
	(void)state;
	begin_program(FAKE "fail clGetKernelArgInfo -19 times 9999", 0);
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
	begin_program(FAKE, 0);
	broken = source_program(c, "#error no good\n");
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
	begin_program(FAKE, 0);
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
	begin_program(FAKE, 0);
	hold();
	p = source_program(c, source);
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
	begin_program(FAKE "hang clBuildProgram after 1", 0);
	say_build(source_program(c, source), "");
	e = launch(q, kernel(p, "fail"), 1, NULL, 0, AFTER_NOTHING, TELL);
	expect_status(e, CL_OUT_OF_RESOURCES);
	expect_nothing();
	host_leave();
}

/* ---- printing ------------------------------------------------------------ */

static void
what_is_printed_comes_before_finish_returns(void **state)
{
	uint64_t serial;

	(void)state;
	begin_program(FAKE, 0);
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
	begin_program(FAKE, 0);
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
	begin_program(FAKE, 0);
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
	begin_program(FAKE "print-on-kernel "
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
		SCENARIO(kernels_that_can_not_be_made_at_once_are_made_by_name),
		SCENARIO(
		    names_of_arguments_are_known_and_told_where_the_vendor_tells),
		SCENARIO(
		    a_vendor_that_tells_nothing_of_arguments_is_taken_at_its_word),
		SCENARIO(a_failed_build_tells_why),
		SCENARIO(a_kernel_of_another_name_is_an_object_error),
		SCENARIO(what_needs_a_program_waits_for_its_build),
		SCENARIO(a_compiler_that_hangs_does_not_stop_the_session),
		SCENARIO(what_is_printed_comes_before_finish_returns),
		SCENARIO(what_is_printed_comes_before_its_events_end),
		SCENARIO(what_is_printed_comes_without_being_asked_for),
		SCENARIO(what_is_printed_comes_whole_and_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
