/* SPDX-License-Identifier: ISC */
#include "hostd/builder.h"

#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/build_order.h"
#include "hostd/build_store.h"
#include "hostd/home.h"
#include "hostd/memfd.h"
#include "hostd/program_code.h"
#include "hostd/reuse.h"
#include "hostd/setup.h"
#include "hostd/spawn.h"
#include "hostd/title.h"
#include "hostd/vendor.h"

#define LOWEST 19

/* What a session has written; it may be hostile. */
static enum vgpu_err
read_order(struct infoset *order, struct err_text *text)
{
	struct buf bytes;
	enum vgpu_err e;

	buf_init(&bytes);
	e = memfd_read(SPAWN_FD, INFOSET_BYTES_MAX, &bytes, text);
	if (e == VGPU_OK)
		e = infoset_load(order, buf_front(&bytes), buf_len(&bytes),
		    text);
	buf_fini(&bytes);
	close(SPAWN_FD);
	return e;
}

static bool
load_set(struct infoset *out, const struct infoset *order, uint32_t part)
{
	const void *p;
	size_t n;

	infoset_init(out);
	return (p = infoset_find(order, part, &n)) != NULL &&
	    infoset_load(out, p, n, NULL) == VGPU_OK;
}

static cl_device_id
find_device(const struct infoset *order, struct err_text *text)
{
	const unsigned platform = infoset_u32(order, ORDER_PLATFORM, 0);
	const unsigned device = infoset_u32(order, ORDER_DEVICE, 0);
	struct vendor *v;

	if (vendor_open(infoset_text(order, ORDER_ICD, ""), &v, text) !=
	    VGPU_OK)
		return NULL;
	if (platform < v->platform_count &&
	    device < v->platforms[platform].device_count)
		return v->platforms[platform].devices[device];
	err_set(text, VGPU_ECL, "the device is gone");
	return NULL;
}

/* Build the order's code as its session did. */
static cl_program
build(const struct infoset *order, cl_device_id device)
{
	struct program_code code = {
		.il = infoset_u32(order, ORDER_IL, 0) != 0 };
	struct infoset constants;
	cl_program p = NULL;
	cl_context context;
	cl_int rc;
	size_t n;

	if (load_set(&constants, order, ORDER_CONSTANTS))
		code.constants = &constants;
	code.bytes.p = infoset_find(order, ORDER_CODE, &n);
	code.bytes.n = n;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
	if (code.bytes.p != NULL && context != NULL && rc == CL_SUCCESS)
		p = program_code_make(&code, context, &rc);
	infoset_fini(&constants);
	if (p == NULL || rc != CL_SUCCESS)
		return NULL;
	return clBuildProgram(p, 1, &device, infoset_text(order,
	    ORDER_OPTIONS, ""), NULL, NULL) == CL_SUCCESS ? p : NULL;
}

/* Another client's order for the same was faster. */
static bool
is_done(const char *folder, const uint8_t *key)
{
	struct infoset entry;
	struct buf bytes;
	size_t n;
	bool done;

	infoset_init(&entry);
	buf_init(&bytes);
	done = build_store_get(folder, key, &bytes) == VGPU_OK &&
	    infoset_load(&entry, buf_front(&bytes), buf_len(&bytes), NULL) ==
	    VGPU_OK && infoset_find(&entry, REUSE_BINARY, &n) != NULL;
	infoset_fini(&entry);
	buf_fini(&bytes);
	return done;
}

static enum vgpu_err
keep(const struct infoset *order, cl_program p, const struct infoset *setup,
    const char *folder, const uint8_t *key, struct err_text *text)
{
	struct infoset entry;
	struct buf binary;

	if (!load_set(&entry, order, ORDER_ENTRY))
		return err_set(text, VGPU_EPROTO, "malformed order");
	buf_init(&binary);
	if (!reuse_read_binary(p, &binary))
		return err_set(text, VGPU_ECL, "no binary");
	infoset_put(&entry, REUSE_BINARY, buf_front(&binary),
	    buf_len(&binary));
	if (infoset_failed(&entry))
		return err_set(text, VGPU_ENOMEM, "out of memory");
	return build_store_put(folder, infoset_u64(setup, SETUP_BUILD_CACHE,
	    0), key, infoset_bytes(&entry), infoset_size(&entry), text);
}

/* The order, for entries in that folder. */
static enum vgpu_err
carry_out(const struct infoset *order, const struct infoset *setup,
    const char *folder, struct err_text *text)
{
	const uint8_t *key;
	cl_device_id device;
	cl_program p;
	size_t n;

	if ((key = infoset_find(order, ORDER_KEY, &n)) == NULL ||
	    n != SHA256_LEN)
		return err_set(text, VGPU_EPROTO, "malformed order");
	if (is_done(folder, key))
		return VGPU_OK;
	if ((device = find_device(order, text)) == NULL)
		return VGPU_ECL;
	if ((p = build(order, device)) == NULL)
		return err_set(text, VGPU_ECL, "an order can't be built");
	return keep(order, p, setup, folder, key, text);
}

/* It runs where nobody else wants to, and gives way at once. */
static void
lower_priority(void)
{
	const struct sched_param none = { 0 };

	setpriority(PRIO_PROCESS, 0, LOWEST);
	sched_setscheduler(0, SCHED_IDLE, &none);
}

static int
fail(const char *reason)
{
	log_warn("%s", reason);
	return 1;
}

int
builder_main(void)
{
	struct infoset setup, order;
	struct err_text text = { "" };
	struct privsep_user user;
	char folder[PATH_MAX];

	infoset_init(&setup);
	infoset_init(&order);
	if (setup_read(&setup, &user, &text) != VGPU_OK ||
	    privsep_drop(&user, &text) != VGPU_OK ||
	    home_open(&user, infoset_text(&setup, SETUP_STATE_DIR, "/"),
	    &text) != VGPU_OK)
		return fail(text.s);
	title_set("builder");
	lower_priority();
	vendor_init();
	reuse_folder(infoset_text(&setup, SETUP_STATE_DIR, "/"), folder,
	    sizeof(folder));
	if (read_order(&order, &text) != VGPU_OK || carry_out(&order, &setup,
	    folder, &text) != VGPU_OK)
		return fail(text.s);
	log_debug("build: its binary is there");
	_exit(0); /* what a vendor does at exit is of no use here */
}
