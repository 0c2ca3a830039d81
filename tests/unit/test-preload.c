/* SPDX-License-Identifier: ISC */
#include "hostd/preload.h"

#include <CL/cl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/vendor.h"

#define POCL "/etc/OpenCL/vendors/pocl.icd"

/* A pool of one device, for which its first vendor is loaded. */
static struct pool *
make_pool(void)
{
	struct infoset device, platform;
	struct pool *p = pool_new();
	unsigned vendor;

	infoset_init(&device);
	infoset_init(&platform);
	infoset_put_u64(&device, CL_DEVICE_TYPE, CL_DEVICE_TYPE_CPU);
	assert_int_equal(pool_add_vendor(p, POCL, NULL, &vendor), VGPU_OK);
	assert_int_equal(pool_add_device(p, vendor, 0, 0, &device, &platform),
	    VGPU_OK);
	infoset_fini(&device);
	infoset_fini(&platform);
	pool_finish(p);
	return p;
}

/*
 * A session chooses its tenant's devices, and frees the others, while the
 * vendor is still being loaded.  Here they are on a page that is taken away.
 */
static void
the_pool_s_devices_may_go_meanwhile(void **state)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct pool *p;
	struct pool_device *devices, *moved;
	struct vendor *v = NULL;
	struct err_text text;

	(void)state;
	if (access(POCL, R_OK) != 0)
		skip();
	p = make_pool();
	moved = mmap(NULL, page, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(moved != MAP_FAILED && sizeof(*moved) <= page);
	devices = p->devices;
	memcpy(moved, devices, sizeof(*moved));
	p->devices = moved;
	vendor_init();
	preload_start(p);
	assert_int_equal(mprotect(moved, page, PROT_NONE), 0);
	assert_int_equal(preload_take(1, &v, &text), VGPU_EAGAIN);
	assert_int_equal(preload_take(0, &v, &text), VGPU_OK);
	assert_int_equal(v->platforms[0].device_count, 1);
	munmap(moved, page);
	p->devices = devices;
	pool_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_pool_s_devices_may_go_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
