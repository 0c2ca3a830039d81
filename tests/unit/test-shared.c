/* SPDX-License-Identifier: ISC */
#include "hostd/shared.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static size_t page;

/* As a vendor would: memory that begins anywhere, and is freed. */
static uint8_t *
allocate(size_t size, uint8_t **first)
{
	uint8_t *raw = malloc(shared_room(size));

	assert_non_null(raw);
	*first = shared_first(raw);
	assert_true(*first >= raw);
	assert_int_equal((uintptr_t)*first % page, 0);
	assert_true(*first + shared_pages(size) <= raw + shared_room(size));
	return raw;
}

static void
sizes_are_whole_pages(void **state)
{
	(void)state;
	assert_int_equal(shared_pages(1), page);
	assert_int_equal(shared_pages(page), page);
	assert_int_equal(shared_pages(page + 1), 2 * page);
	assert_true(shared_room(1) >= page);
	assert_int_equal(shared_pages(SIZE_MAX), 0);
	assert_int_equal(shared_room(SIZE_MAX), 0);
	assert_int_equal(shared_room(SIZE_MAX - page), 0);
}

static void
what_the_client_writes_is_the_vendors_memory(void **state)
{
	const size_t sizes[] = { 1, 4096, 5000, 1 << 20 };
	uint8_t *raw, *p, *client;
	size_t i, n;
	int fd;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		raw = allocate(sizes[i], &p);
		n = shared_pages(sizes[i]);
		assert_int_equal(shared_open(p, n, &fd, NULL), VGPU_OK);
		client = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
		assert_true(client != MAP_FAILED);
		close(fd);
		client[n - 1] = 5;
		assert_int_equal(p[n - 1], 5);
		p[0] = 6;
		assert_int_equal(client[0], 6);
		assert_true(shared_close(p, n));
		memset(client, 9, n);
		assert_int_equal(p[0], 0);
		memset(p, 1, n);
		assert_int_equal(client[0], 9);
		munmap(client, n);
		free(raw);
	}
}

static void
around_it_nothing_changes(void **state)
{
	uint8_t *raw, *p;
	size_t n = shared_pages(3 * page), room = shared_room(3 * page), i;
	int fd;

	(void)state;
	raw = allocate(3 * page, &p);
	memset(raw, 0x55, room);
	assert_int_equal(shared_open(p, n, &fd, NULL), VGPU_OK);
	memset(p, 0xaa, n);
	assert_true(shared_close(p, n));
	close(fd);
	for (i = 0; i < room; i++)
		if (raw + i < p || raw + i >= p + n)
			assert_int_equal(raw[i], 0x55);
	free(raw);
}

static void
nobody_can_change_the_files_size(void **state)
{
	uint8_t *raw, *p;
	int fd;

	(void)state;
	raw = allocate(page, &p);
	assert_int_equal(shared_open(p, page, &fd, NULL), VGPU_OK);
	assert_int_equal(ftruncate(fd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(fd, (off_t)(2 * page)), -1);
	assert_true(shared_close(p, page));
	close(fd);
	free(raw);
}

static void
what_is_no_memory_is_refused(void **state)
{
	struct err_text text;
	uint8_t *raw, *p;
	int fd;

	(void)state;
	raw = allocate(page, &p);
	assert_int_equal(shared_open(p + 1, page, &fd, &text), VGPU_ESYS);
	assert_int_equal(shared_open(p, 0, &fd, &text), VGPU_ESYS);
	free(raw);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_whole_pages),
		cmocka_unit_test(what_the_client_writes_is_the_vendors_memory),
		cmocka_unit_test(around_it_nothing_changes),
		cmocka_unit_test(nobody_can_change_the_files_size),
		cmocka_unit_test(what_is_no_memory_is_refused),
	};

	page = (size_t)sysconf(_SC_PAGESIZE);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
