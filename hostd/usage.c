/* SPDX-License-Identifier: ISC */
#include "hostd/usage.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hostd/memfd.h"
#include "hostd/pool.h"

#define PROBES 8	/* places in which a class may be */
#define BUILD_NS_MAX 600000000000u

struct device {
	_Atomic uint64_t queued_ns;
	_Atomic uint64_t busy_ns;
	_Atomic uint64_t memory;
	_Atomic uint64_t built;
};

struct usage_slot {
	_Atomic uint64_t key;
	_Atomic uint64_t device;
	_Atomic uint64_t launches;
	_Atomic uint64_t ns;
};

/* In memory of which only what is used is there. */
struct usage {
	_Atomic uint64_t peak;
	_Atomic uint64_t build_ns;
	_Atomic uint64_t built;		/* no device from here on was */
	struct usage_slot slot[USAGE_CLASSES];
	struct device device[POOL_DEVICES_MAX];
};

#define GET(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define SET(field, v) atomic_store_explicit(&(field), (v), \
	memory_order_relaxed)
#define ADD(field, v) atomic_fetch_add_explicit(&(field), (v), \
	memory_order_relaxed)

static uint64_t
at_most(uint64_t v, uint64_t max)
{
	return v < max ? v : max;
}

/* ---- its life -------------------------------------------------------------- */

enum vgpu_err
usage_map(struct usage **out, int fd, struct err_text *text)
{
	void *p = mmap(NULL, sizeof(struct usage), PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return err_sys(text, "cannot map a page of usage");
	*out = p;
	return VGPU_OK;
}

enum vgpu_err
usage_new(struct usage **out, int *fd, struct err_text *text)
{
	enum vgpu_err rc;
	int new;

	if ((new = memfd_new("vgpu-usage", text)) < 0)
		return VGPU_ESYS;
	if (ftruncate(new, sizeof(struct usage)) != 0 ||
	    fcntl(new, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
	    F_SEAL_SEAL) != 0)
		rc = err_sys(text, "cannot make a page of usage");
	else
		rc = usage_map(out, new, text);
	if (rc == VGPU_OK)
		*fd = new;
	else
		close(new);
	return rc;
}

void
usage_free(struct usage *u)
{
	if (u != NULL)
		munmap(u, sizeof(*u));
}

/* ---- the session's --------------------------------------------------------- */

struct usage_slot *
usage_class(struct usage *u, uint64_t key, unsigned device)
{
	struct usage_slot *s;
	unsigned i;

	for (i = 0; i < PROBES; i++) {
		s = &u->slot[(key + device + i) % USAGE_CLASSES];
		if (GET(s->key) == key && GET(s->device) == device)
			return s;
		if (GET(s->key) != 0)
			continue;
		SET(s->device, device);
		SET(s->key, key);
		return s;
	}
	return NULL;
}

uint64_t
usage_slot_ns(const struct usage_slot *s)
{
	return GET(s->ns);
}

void
usage_slot_set(struct usage_slot *s, uint64_t ns)
{
	SET(s->ns, at_most(ns, USAGE_CLASS_NS_MAX));
}

void
usage_slot_launched(struct usage_slot *s)
{
	ADD(s->launches, 1);
}

void
usage_add_queued(struct usage *u, unsigned device, int64_t ns)
{
	ADD(u->device[device].queued_ns, (uint64_t)ns);
}

void
usage_add_busy(struct usage *u, unsigned device, uint64_t ns)
{
	ADD(u->device[device].busy_ns, ns);
}

void
usage_add_memory(struct usage *u, unsigned device, int64_t bytes)
{
	uint64_t now;

	now = ADD(u->device[device].memory, (uint64_t)bytes) +
	    (uint64_t)bytes;
	if (bytes > 0 && now > GET(u->peak))
		SET(u->peak, now);
}

void
usage_built(struct usage *u, unsigned device, uint64_t ns)
{
	SET(u->device[device].built, 1);
	if (device >= GET(u->built))
		SET(u->built, device + 1);
	ADD(u->build_ns, ns);
}

/* ---- the parent's ---------------------------------------------------------- */

uint64_t
usage_queued(const struct usage *u, unsigned device)
{
	return at_most(GET(u->device[device].queued_ns), USAGE_QUEUED_NS_MAX);
}

uint64_t
usage_busy(const struct usage *u, unsigned device)
{
	return at_most(GET(u->device[device].busy_ns), INT64_MAX);
}

uint64_t
usage_memory(const struct usage *u, unsigned device)
{
	return at_most(GET(u->device[device].memory), INT64_MAX);
}

uint64_t
usage_peak(const struct usage *u)
{
	return at_most(GET(u->peak), INT64_MAX);
}

unsigned
usage_built_end(const struct usage *u)
{
	return (unsigned)at_most(GET(u->built), POOL_DEVICES_MAX);
}

bool
usage_has_built(const struct usage *u, unsigned device)
{
	return GET(u->device[device].built) != 0;
}

uint64_t
usage_build_ns(const struct usage *u)
{
	return at_most(GET(u->build_ns), BUILD_NS_MAX);
}

bool
usage_class_at(const struct usage *u, unsigned place, struct usage_class *out)
{
	const struct usage_slot *s = &u->slot[place];

	out->key = GET(s->key);
	out->device = (unsigned)at_most(GET(s->device), UINT32_MAX);
	out->launches = at_most(GET(s->launches), INT64_MAX);
	out->ns = at_most(GET(s->ns), USAGE_CLASS_NS_MAX);
	return out->key != 0 && out->device < POOL_DEVICES_MAX;
}
