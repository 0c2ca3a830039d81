/* SPDX-License-Identifier: ISC */
/*
 * pool - every device of every vendor that this daemon serves.
 *
 * Probes find the devices once; parent and sessions hold a copy.  A device is
 * named by its vendor's .icd file and its place in what that vendor lists,
 * from which a session that loads the vendor finds the same device again.
 */
#ifndef VGPU_HOSTD_POOL_H
#define VGPU_HOSTD_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/infoset.h"

#define POOL_VENDORS_MAX 64
#define POOL_DEVICES_MAX 1024
#define POOL_APARTS_MAX (POOL_VENDORS_MAX * POOL_VENDORS_MAX / 2)

struct pool_vendor {
	char *icd;	/* the .icd file, or a library */
	char *name;	/* file name without folder and suffix, for people */
	bool usable;
	bool apart;	/* there are others that can't share its process */
	char *reason;	/* why not, when it isn't; else NULL */
};

struct pool_device {
	unsigned index;		/* its number; of the parent's: see roster.h */
	unsigned vendor;	/* in vendors */
	unsigned platform;	/* in the vendor's list of platforms */
	unsigned device;	/* in that platform's list of devices */
	bool fallback;		/* a CPU device beside real ones: last choice */
	bool simulator;		/* runs kernels to check them, not for speed */
	unsigned card;		/* equal: the same hardware; see pool_finish */
	struct infoset info;		/* clGetDeviceInfo */
	struct infoset platform_info;	/* clGetPlatformInfo */
};

/* Two vendors whose libraries can't be in one process. */
struct pool_apart {
	unsigned a, b;
	char *reason;
};

struct pool {
	struct pool_vendor *vendors;
	unsigned vendor_count;
	struct pool_apart *aparts;
	unsigned apart_count;
	struct pool_device *devices;
	unsigned device_count;
};

/* An empty pool; NULL without memory. */
struct pool *pool_new(void);
void pool_free(struct pool *);

/*
 * Add a vendor; its number goes to *index.  reason is NULL if it works.
 * VGPU_EQUOTA: too many.  VGPU_ENOMEM.
 */
enum vgpu_err pool_add_vendor(struct pool *, const char *icd,
    const char *reason, unsigned *index);

/*
 * Add a device of a vendor; the sets are copied.
 * VGPU_EQUOTA: too many.  VGPU_ENOMEM.
 */
enum vgpu_err pool_add_device(struct pool *, unsigned vendor,
    unsigned platform, unsigned device, const struct infoset *info,
    const struct infoset *platform_info);

/*
 * A vendor was added as one that works, and doesn't: its devices go.  The numbers
 * of those that stay are their places again.  VGPU_ENOMEM: it is as it was.
 */
enum vgpu_err pool_exclude_vendor(struct pool *, unsigned,
    const char *reason);

/* Two vendors can't share a process.  VGPU_EQUOTA, VGPU_ENOMEM. */
enum vgpu_err pool_add_apart(struct pool *, unsigned, unsigned,
    const char *reason);

/* Why two vendors can't; NULL: they can. */
const char *pool_apart(const struct pool *, unsigned, unsigned);

/*
 * When all are added: decide which are simulators, which the fallback, and
 * which are on one card: the same bus address, or the machine's own processor.
 */
void pool_finish(struct pool *);

/*
 * What kind of device it is, those that are offered first the lowest: GPUs and
 * accelerators 0, CPUs 1, the fallback 2, simulators 3.
 */
unsigned pool_rank(const struct pool_device *);

/* The device of an index; NULL: it is not in this pool. */
const struct pool_device *pool_find(const struct pool *, unsigned index);

/* Is the pattern (fnmatch's) for a device's name, or its vendor's? */
bool pool_matches(const struct pool *, const struct pool_device *,
    const char *pattern);

/* The device that is shown first where nothing is used; NULL: there is none. */
const struct pool_device *pool_first(const struct pool *);

/* Compute units by clock: how fast it is beside others of its kind. */
uint64_t pool_speed(const struct pool_device *);

/*
 * Keep only the devices order[0] to order[n-1], in that order.  Each keeps
 * its index.  Wrong or repeated numbers are left out.
 */
void pool_select(struct pool *, const unsigned *order, unsigned n);

/*
 * Are they the same for a session: the same devices in the same order, in all
 * but their clock, which some vendors measure anew each time?
 */
bool pool_same(const struct pool *, const struct pool *);

/* The pool as bytes, for another process. */
void pool_encode(const struct pool *, struct infoset *);

/* VGPU_EPROTO: not the bytes of a pool.  VGPU_ENOMEM. */
enum vgpu_err pool_decode(struct pool **, const void *, size_t,
    struct err_text *);

#endif
