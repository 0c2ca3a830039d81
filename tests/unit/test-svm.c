/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/svm.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "icd-vgpu/context.h"

#define PAGES 16

static struct context *context;
static uintptr_t space;		/* PAGES free pages */
static size_t page;

static bool
at_address(uint64_t address, size_t size)
{
	const struct svm_kind kind = { 0 };

	return svm_enter(context, address, size, &kind, -1);
}

static bool
fine_at(uint64_t address, size_t size, int fd)
{
	const struct svm_kind kind = { .fine = true };

	return svm_enter(context, address, size, &kind, fd);
}

static void
unmap(uintptr_t address, size_t n)
{
	void *p;

	memcpy(&p, &address, sizeof(p));
	assert_int_equal(munmap(p, n), 0);
}

static int
setup(void **state)
{
	void *p;

	(void)state;
	page = (size_t)sysconf(_SC_PAGESIZE);
	p = mmap(NULL, PAGES * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1, 0);
	context = object_new(OBJ_CONTEXT, sizeof(*context), NULL);
	if (p == MAP_FAILED || context == NULL)
		return -1;
	context->o.local = true;
	space = (uintptr_t)p;
	unmap(space, PAGES * page);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	object_unuse(context);
	return 0;
}

static uint8_t *
at(size_t offset)
{
	uintptr_t address = space + offset;
	uint8_t *p;

	memcpy(&p, &address, sizeof(p));
	return p;
}

static void
enter(size_t offset, size_t size)
{
	assert_true(at_address(space + offset, size));
}

static void
leave(size_t offset)
{
	assert_true(svm_leave(at(offset), NULL, NULL));
}

/* Is the page at offset mapped? */
static bool
mapped(size_t offset)
{
	return msync(at(offset), page, MS_ASYNC) == 0;
}

static void
memory_is_at_the_address_that_the_host_chose(void **state)
{
	(void)state;
	enter(page + 64, 2 * page);
	memset(at(page + 64), 7, 2 * page);
	assert_int_equal(*at(3 * page + 63), 7);
	leave(page + 64);
	assert_false(mapped(page));
	assert_false(mapped(2 * page));
	assert_false(mapped(3 * page));
}

static void
a_pointer_finds_the_allocation_around_it(void **state)
{
	const struct svm *s;

	(void)state;
	enter(100, 50);
	enter(200, 50);
	assert_null(svm_find(at(99)));
	s = svm_find(at(149));
	assert_non_null(s);
	assert_ptr_equal(s->base, at(100));
	assert_int_equal(s->size, 50);
	assert_ptr_equal(s->context, context);
	assert_null(svm_find(at(150)));
	assert_ptr_equal(svm_find(at(200))->base, at(200));
	assert_non_null(svm_find_range(at(120), 30));
	assert_null(svm_find_range(at(120), 31));
	leave(100);
	assert_null(svm_find(at(100)));
	assert_non_null(svm_find(at(200)));
	leave(200);
}

static void
neighbours_on_a_page_share_it_until_the_last_is_gone(void **state)
{
	(void)state;
	enter(0, 100);
	enter(200, 2 * page);
	enter(2 * page + 300, 100);
	*at(50) = 1;
	*at(2 * page + 350) = 3;
	leave(200);
	assert_int_equal(*at(50), 1);
	assert_int_equal(*at(2 * page + 350), 3);
	assert_false(mapped(page));
	leave(0);
	assert_false(mapped(0));
	assert_int_equal(*at(2 * page + 350), 3);
	leave(2 * page + 300);
	assert_false(mapped(2 * page));
}

static void
memory_of_the_program_is_never_touched(void **state)
{
	char *own = mmap(at(4 * page), page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	(void)state;
	assert_ptr_equal(own, at(4 * page));
	strcpy(own, "mine");
	assert_false(at_address(space + 3 * page, 3 * page));
	assert_false(at_address(space + 4 * page + 10, 10));
	assert_false(mapped(3 * page));
	assert_string_equal(own, "mine");
	assert_null(svm_find(own));
	munmap(own, page);
}

static void
an_address_is_not_given_out_twice(void **state)
{
	(void)state;
	enter(page, 100);
	assert_false(at_address(space + page, 100));
	assert_false(at_address(space + page + 99, 10));
	assert_false(at_address(space + page - 10, 11));
	assert_true(at_address(space + page + 100, 10));
	leave(page);
	leave(page + 100);
}

static void
addresses_that_are_none_are_refused(void **state)
{
	(void)state;
	assert_false(at_address(0, 10));
	assert_false(at_address(space, 0));
	assert_false(at_address(UINT64_MAX - 10, 5));
	assert_false(at_address(space, SIZE_MAX));
	assert_false(svm_leave(at(0), NULL, NULL));
}

static void
is_still_mapped(void *arg)
{
	*(bool *)arg = mapped(0);
}

static void
the_host_hears_of_the_end_before_the_pages_go(void **state)
{
	bool was = false;

	(void)state;
	enter(0, 10);
	assert_true(svm_leave(at(0), is_still_mapped, &was));
	assert_true(was);
	assert_false(mapped(0));
	assert_false(svm_leave(at(0), is_still_mapped, &was));
}

static void
memory_of_before_a_fork_makes_way(void **state)
{
	(void)state;
	enter(0, page);
	enter(2 * page, 2 * page);
	*at(0) = 1;
	*at(2 * page) = 2;
	svm_fork(FORK_PREPARE);
	svm_fork(FORK_CHILD);
	assert_null(svm_find(at(2 * page)));
	assert_false(svm_leave(at(0), NULL, NULL));
	assert_int_equal(*at(2 * page), 2);
	enter(page, 2 * page);
	assert_int_equal(*at(2 * page), 0);
	assert_int_equal(*at(0), 1);
	assert_false(mapped(3 * page));
	leave(page);
	enter(0, page);
	leave(0);
	assert_false(mapped(0));
}

/* --- fine-grained --------------------------------------------------------- */

/* A file in memory of so many pages, with these seals. */
static int
file(size_t pages, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)(pages * page)), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void
fine_memory_is_the_files(void **state)
{
	int fd = file(2, F_SEAL_SHRINK);
	uint8_t *other = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);

	(void)state;
	assert_true(other != MAP_FAILED);
	assert_true(fine_at(space, page + 1, fd));
	assert_true(svm_find(at(page))->kind.fine);
	at(page)[0] = 7;
	assert_int_equal(other[page], 7);
	other[10] = 8;
	assert_int_equal(at(10)[0], 8);
	leave(0);
	assert_false(mapped(0));
	assert_false(mapped(page));
	enter(0, page);
	assert_false(svm_find(at(0))->kind.fine);
	assert_int_equal(at(10)[0], 0);
	leave(0);
	munmap(other, 2 * page);
	close(fd);
}

/* The program would be ended by SIGBUS. */
static void
a_file_that_may_become_shorter_is_refused(void **state)
{
	int fd = file(2, 0), other = open("/dev/zero", O_RDWR);

	(void)state;
	assert_false(fine_at(space, page, fd));
	assert_false(fine_at(space, page, other));
	assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
	assert_false(fine_at(space, 2 * page + 1, fd));
	assert_true(fine_at(space, 2 * page, fd));
	leave(0);
	close(fd);
	close(other);
}

static void
fine_memory_shares_no_page(void **state)
{
	int fd = file(2, F_SEAL_SHRINK);

	(void)state;
	assert_false(fine_at(space + 128, page, fd));
	enter(2 * page, 10);
	assert_false(fine_at(space + page, page + 1, fd));
	assert_true(fine_at(space + page, page, fd));
	leave(2 * page);
	assert_true(mapped(page));
	leave(page);
	enter(page + 100, 10);
	assert_false(fine_at(space, page + 1, fd));
	leave(page + 100);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_at_the_address_that_the_host_chose),
		cmocka_unit_test(a_pointer_finds_the_allocation_around_it),
		cmocka_unit_test(
		    neighbours_on_a_page_share_it_until_the_last_is_gone),
		cmocka_unit_test(memory_of_the_program_is_never_touched),
		cmocka_unit_test(an_address_is_not_given_out_twice),
		cmocka_unit_test(addresses_that_are_none_are_refused),
		cmocka_unit_test(the_host_hears_of_the_end_before_the_pages_go),
		cmocka_unit_test(memory_of_before_a_fork_makes_way),
		cmocka_unit_test(fine_memory_is_the_files),
		cmocka_unit_test(a_file_that_may_become_shorter_is_refused),
		cmocka_unit_test(fine_memory_shares_no_page),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
