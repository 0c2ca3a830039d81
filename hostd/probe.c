/* SPDX-License-Identifier: ISC */
#include "hostd/probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/ask.h"
#include "hostd/extension.h"
#include "hostd/home.h"
#include "hostd/pool.h"
#include "hostd/sane.h"
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

/* Add a device, unless it can't be as it says; said why. */
static enum vgpu_err
list_device(struct pool *pool, const struct vendor_platform *p,
    unsigned platform, unsigned number, const struct infoset *platform_info)
{
	struct err_text text = { "it has no handle" };
	struct infoset told, sane, device;
	enum vgpu_err rc = VGPU_OK;

	infoset_init(&told);
	infoset_init(&sane);
	infoset_init(&device);
	if (p->devices[number] != NULL)
		ask_all(ask_device, p->devices[number], info_device,
		    info_device_count, &told);
	if (p->devices[number] == NULL || !sane_device(&sane, &told, &text)) {
		log_warn("device %u left out: %s", number, text.s);
	} else {
		extension_filter(&device, &sane, p);
		rc = pool_add_device(pool, 0, platform, number, &device,
		    platform_info);
	}
	infoset_fini(&told);
	infoset_fini(&sane);
	infoset_fini(&device);
	return rc;
}

static enum vgpu_err
list_platform(struct pool *pool, const struct vendor_platform *p,
    unsigned number)
{
	struct infoset platform;
	enum vgpu_err rc = VGPU_OK;
	unsigned i;

	infoset_init(&platform);
	ask_all(ask_platform, p->id, info_platform, info_platform_count,
	    &platform);
	for (i = 0; rc == VGPU_OK && i < p->device_count; i++)
		rc = list_device(pool, p, number, i, &platform);
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
	if (rc == VGPU_OK && pool->device_count == 0) {
		free(pool->vendors[0].reason);
		pool->vendors[0].usable = false;
		pool->vendors[0].reason = strdup("none of its devices can be "
		    "as it says");
	}
	return rc;
}

/* A context, as a session makes it. */
static enum vgpu_err
use(struct vendor *v, struct err_text *text)
{
	cl_context (*create)(const cl_context_properties *, cl_uint,
	    const cl_device_id *, void (CL_CALLBACK *)(const char *,
	    const void *, size_t, void *), void *, cl_int *);
	const cl_context_properties p[] = { CL_CONTEXT_PLATFORM,
		(cl_context_properties)v->platforms[0].id, 0 };
	cl_context context;
	cl_int code = CL_SUCCESS;

	*(void **)&create = dlsym(v->loader, "clCreateContext");
	if (create == NULL || v->platforms[0].device_count == 0 ||
	    v->platforms[0].devices[0] == NULL)
		return VGPU_OK;
	context = create(p, 1, v->platforms[0].devices, NULL, NULL, &code);
	if (code != CL_SUCCESS)
		return err_set(text, VGPU_ECL, "no context (error %d)", code);
	clReleaseContext(context);
	return VGPU_OK;
}

/* All in this process; what each does when the next one comes is its matter. */
static enum vgpu_err
meet(struct pool *pool, const struct infoset *setup)
{
	struct vendor *vendor[POOL_VENDORS_MAX];
	struct err_text text = { "" };
	enum vgpu_err rc, added = VGPU_OK;
	unsigned n = 0, i, index;
	uint32_t param;
	const void *icd;
	size_t at = 0, size;

	while ((icd = infoset_next(setup, &at, &param, &size)) != NULL) {
		if (param != SETUP_ICD || n == POOL_VENDORS_MAX)
			continue;
		rc = vendor_open(icd, &vendor[n], &text);
		for (i = 0; rc == VGPU_OK && i <= n; i++)
			rc = use(vendor[i], &text);
		added = pool_add_vendor(pool, icd, rc == VGPU_OK ? NULL :
		    text.s, &index);
		if (rc != VGPU_OK || added != VGPU_OK)
			break;
		n++;
	}
	return added;
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
	if ((pool = pool_new()) == NULL || (infoset_u32(&setup,
	    SETUP_CONTEXTS, 0) != 0 ? meet(pool, &setup) : list(pool, icd)) != VGPU_OK ||
	    !deliver(pool))
		return 1;
	pool_free(pool);
	infoset_fini(&setup);
	_exit(0); /* what a vendor does at exit is of no use here */
}
