/* SPDX-License-Identifier: ISC */
#include "hostd/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/ask.h"
#include "hostd/extension.h"
#include "hostd/home.h"
#include "hostd/pool.h"
#include "hostd/setup.h"
#include "hostd/spawn.h"
#include "hostd/title.h"
#include "hostd/vendor.h"

static void
ask_all(ask_function *ask, void *of, const struct info_param *params,
    unsigned n, struct infoset *out)
{
	unsigned i;

	for (i = 0; i < n; i++)
		ask_put(ask, of, &params[i], out);
}

static enum vgpu_err
list_platform(struct pool *pool, const struct vendor_platform *p,
    unsigned number)
{
	struct infoset platform, told, device;
	enum vgpu_err rc = VGPU_OK;
	unsigned i;

	infoset_init(&platform);
	ask_all(ask_platform, p->id, info_platform, info_platform_count,
	    &platform);
	for (i = 0; rc == VGPU_OK && i < p->device_count; i++) {
		infoset_init(&told);
		infoset_init(&device);
		ask_all(ask_device, p->devices[i], info_device,
		    info_device_count, &told);
		extension_filter(&device, &told, p);
		rc = pool_add_device(pool, 0, number, i, &device, &platform);
		infoset_fini(&told);
		infoset_fini(&device);
	}
	infoset_fini(&platform);
	return rc;
}

static enum vgpu_err
list(struct pool *pool, const char *icd)
{
	struct err_text text = { "" };
	struct vendor *vendor;
	enum vgpu_err rc;
	unsigned i;

	if (vendor_open(icd, &vendor, &text) != VGPU_OK)
		return pool_add_vendor(pool, icd, text.s, &i);
	if ((rc = pool_add_vendor(pool, icd, NULL, &i)) != VGPU_OK)
		return rc;
	for (i = 0; rc == VGPU_OK && i < vendor->platform_count; i++)
		rc = list_platform(pool, &vendor->platforms[i], i);
	return rc;
}

static bool
deliver(const struct pool *pool)
{
	struct infoset out;
	const char *at;
	ssize_t put;
	size_t n;

	infoset_init(&out);
	pool_encode(pool, &out);
	if (infoset_failed(&out))
		return false;
	at = infoset_bytes(&out);
	for (n = infoset_size(&out); n > 0; n -= (size_t)put, at += put) {
		put = write(SPAWN_FD, at, n);
		if (put <= 0)
			return false;
	}
	infoset_fini(&out);
	return true;
}

int
probe_main(void)
{
	struct err_text text = { "" };
	struct privsep_user user;
	struct infoset setup;
	struct pool *pool;
	const char *icd;

	infoset_init(&setup);
	if (setup_read(&setup, &user, &text) != VGPU_OK ||
	    privsep_drop(&user, &text) != VGPU_OK ||
	    home_open(&user, infoset_text(&setup, SETUP_STATE_DIR, "/"),
	    &text) != VGPU_OK) {
		log_error("%s", text.s);
		return 1;
	}
	icd = infoset_text(&setup, SETUP_ICD, "");
	title_set("probe %s", icd);
	vendor_init();
	if ((pool = pool_new()) == NULL || list(pool, icd) != VGPU_OK ||
	    !deliver(pool))
		return 1;
	pool_free(pool);
	infoset_fini(&setup);
	_exit(0); /* what a vendor does at exit is of no use here */
}
