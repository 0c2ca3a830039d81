/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

/* One kernel, built for one device of a context with one queue. */
struct bench {
	struct device device;
	struct context context;
	struct program program;
	struct program_device program_device;
	struct work_shape work;
	struct kernel_shape shape;
	struct kernel kernel;
	struct queue queue;
};

static struct bench b;

static void
device_is(cl_uint bits, const char *version, cl_bool non_uniform)
{
	static const size_t sizes[3] = { 64, 32, 16 };
	struct infoset *i = &b.device.info;

	infoset_fini(i);
	infoset_init(i);
	infoset_put_u32(i, CL_DEVICE_ADDRESS_BITS, bits);
	infoset_put_text(i, CL_DEVICE_VERSION, version);
	infoset_put_u32(i, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
	    non_uniform);
	infoset_put(i, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes, sizeof(sizes));
}

static int
set_up(void **state)
{
	(void)state;
	memset(&b, 0, sizeof(b));
	infoset_init(&b.device.info);
	device_is(64, "OpenCL 3.0 test", CL_FALSE);
	b.program_device.device = &b.device;
	b.program.context = &b.context;
	b.program.device = &b.program_device;
	b.program.device_count = 1;
	b.work.work_group_size = 64;
	b.shape.work = &b.work;
	b.shape.work_count = 1;
	b.kernel.program = &b.program;
	b.kernel.shape = &b.shape;
	b.queue.context = &b.context;
	b.queue.device = &b.device;
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	infoset_fini(&b.device.info);
	return 0;
}

static cl_int
check(cl_uint dim, const size_t *offset, const size_t *global,
    const size_t *local)
{
	struct range r = { dim, offset, global, local };

	return launch_check(&b.kernel, &b.queue, &r);
}

#define SIZES(...) ((const size_t[]){ __VA_ARGS__ })

static void
a_plain_launch_passes(void **state)
{
	(void)state;
	assert_int_equal(check(1, NULL, SIZES(100), NULL), CL_SUCCESS);
	assert_int_equal(check(3, SIZES(1, 2, 3), SIZES(8, 4, 2),
	    SIZES(8, 4, 2)), CL_SUCCESS);
}

static void
dimensions_are_one_to_three(void **state)
{
	(void)state;
	assert_int_equal(check(0, NULL, SIZES(1), NULL),
	    CL_INVALID_WORK_DIMENSION);
	assert_int_equal(check(4, NULL, SIZES(1, 1, 1, 1), NULL),
	    CL_INVALID_WORK_DIMENSION);
}

static void
a_kernel_of_another_context_is_refused(void **state)
{
	struct context other;

	(void)state;
	b.queue.context = &other;
	assert_int_equal(check(1, NULL, SIZES(1), NULL), CL_INVALID_CONTEXT);
}

static void
a_device_without_executable_is_refused(void **state)
{
	(void)state;
	b.work.work_group_size = 0;
	assert_int_equal(check(1, NULL, SIZES(1), NULL),
	    CL_INVALID_PROGRAM_EXECUTABLE);
}

static void
an_empty_range_is_allowed_since_2_1(void **state)
{
	(void)state;
	assert_int_equal(check(1, NULL, NULL, NULL), CL_SUCCESS);
	assert_int_equal(check(2, NULL, SIZES(4, 0), NULL), CL_SUCCESS);
	device_is(64, "OpenCL 2.0 test", CL_FALSE);
	assert_int_equal(check(1, NULL, NULL, NULL),
	    CL_INVALID_GLOBAL_WORK_SIZE);
}

static void
sizes_fit_the_address_bits_of_the_device(void **state)
{
	(void)state;
	assert_int_equal(check(1, SIZES(SIZE_MAX - 7), SIZES(8), NULL),
	    CL_INVALID_GLOBAL_OFFSET);
	assert_int_equal(check(1, SIZES(SIZE_MAX - 8), SIZES(8), NULL),
	    CL_SUCCESS);
	device_is(32, "OpenCL 3.0 test", CL_FALSE);
	assert_int_equal(check(1, NULL, SIZES((size_t)1 << 32), NULL),
	    CL_INVALID_GLOBAL_WORK_SIZE);
	assert_int_equal(check(1, SIZES(UINT32_MAX), SIZES(1), NULL),
	    CL_INVALID_GLOBAL_OFFSET);
}

static void
work_groups_divide_the_range(void **state)
{
	(void)state;
	assert_int_equal(check(1, NULL, SIZES(10), SIZES(4)),
	    CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(check(1, NULL, SIZES(10), SIZES(0)),
	    CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(check(1, NULL, SIZES(12), SIZES(4)), CL_SUCCESS);
}

static void
the_last_work_groups_may_be_smaller_where_all_agree(void **state)
{
	(void)state;
	device_is(64, "OpenCL 3.0 test", CL_TRUE);
	assert_int_equal(check(1, NULL, SIZES(10), SIZES(4)),
	    CL_INVALID_WORK_GROUP_SIZE);
	b.program.non_uniform = true;
	assert_int_equal(check(1, NULL, SIZES(10), SIZES(4)), CL_SUCCESS);
	device_is(64, "OpenCL 2.0 test", CL_FALSE);
	assert_int_equal(check(1, NULL, SIZES(10), SIZES(4)), CL_SUCCESS);
	device_is(64, "OpenCL 1.2 test", CL_TRUE);
	assert_int_equal(check(1, NULL, SIZES(10), SIZES(4)),
	    CL_INVALID_WORK_GROUP_SIZE);
}

static void
work_groups_stay_in_the_limits(void **state)
{
	(void)state;
	assert_int_equal(check(1, NULL, SIZES(128), SIZES(128)),
	    CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(check(2, NULL, SIZES(16, 16), SIZES(16, 16)),
	    CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(check(2, NULL, SIZES(1, 64), SIZES(1, 64)),
	    CL_INVALID_WORK_ITEM_SIZE);
	/* A product that overflows is no way around them. */
	assert_int_equal(check(2, NULL, SIZES((size_t)1 << 33,
	    (size_t)1 << 33), SIZES((size_t)1 << 33, (size_t)1 << 33)),
	    CL_INVALID_WORK_GROUP_SIZE);
}

static void
a_required_size_is_demanded(void **state)
{
	(void)state;
	b.work.compile_size[0] = 4;
	b.work.compile_size[1] = 2;
	b.work.compile_size[2] = 1;
	assert_int_equal(check(2, NULL, SIZES(8, 8), SIZES(4, 2)),
	    CL_SUCCESS);
	assert_int_equal(check(2, NULL, SIZES(8, 8), SIZES(2, 2)),
	    CL_INVALID_WORK_GROUP_SIZE);
	assert_int_equal(check(1, NULL, SIZES(8), SIZES(4)),
	    CL_INVALID_WORK_GROUP_SIZE);
}

static void
a_required_size_is_filled_in(void **state)
{
	struct range r = { 2, NULL, SIZES(8, 8), NULL };

	(void)state;
	b.work.compile_size[0] = 4;
	b.work.compile_size[1] = 2;
	b.work.compile_size[2] = 1;
	assert_int_equal(launch_check(&b.kernel, &b.queue, &r), CL_SUCCESS);
	assert_non_null(r.local);
	assert_int_equal(r.local[0], 4);
	assert_int_equal(r.local[1], 2);
	r = (struct range){ 2, NULL, SIZES(6, 8), NULL };
	assert_int_equal(launch_check(&b.kernel, &b.queue, &r),
	    CL_INVALID_WORK_GROUP_SIZE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_plain_launch_passes),
		TEST(dimensions_are_one_to_three),
		TEST(a_kernel_of_another_context_is_refused),
		TEST(a_device_without_executable_is_refused),
		TEST(an_empty_range_is_allowed_since_2_1),
		TEST(sizes_fit_the_address_bits_of_the_device),
		TEST(work_groups_divide_the_range),
		TEST(the_last_work_groups_may_be_smaller_where_all_agree),
		TEST(work_groups_stay_in_the_limits),
		TEST(a_required_size_is_demanded),
		TEST(a_required_size_is_filled_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
