/* SPDX-License-Identifier: ISC */
/*
 * view - how a session's client is shown the devices of the pool.
 *
 * A view is a list of devices to show.  In most views each stands for one
 * device of the pool.  A class device stands for several that differ in nothing
 * that a program can see but in which of them it is; which of them runs a
 * context is decided when the context is made.
 *
 * Only made from what is already in order: a shown device stands where the
 * first of its members stood.
 */
#ifndef VGPU_HOSTD_VIEW_H
#define VGPU_HOSTD_VIEW_H

#include "common/err.h"
#include "hostd/pool.h"

/* Each narrower than the one before. */
enum view_kind {
	VIEW_PHYSICAL,	/* every device */
	VIEW_CLASS,	/* equal ones are one */
	VIEW_SINGLE,	/* the first one of those */
	VIEW_KINDS
};

struct view_device {
	const struct pool_device **member;	/* at least one */
	unsigned count;
};

struct view {
	struct view_device *device;
	unsigned count;
	const struct pool_device **members;	/* all, device by device */
};

/* The kind of that name; VIEW_KINDS: none. */
enum view_kind view_kind(const char *name);
const char *view_name(enum view_kind);

/*
 * Whether a program can't tell one from the other but by what names a single
 * device (UUID, bus address), and may so be given either.
 */
bool view_same_class(const struct pool_device *, const struct pool_device *);

/*
 * What a device lacks to run a context of a program that was shown another one;
 * NULL: nothing that can be told before its objects are made there.
 */
const char *view_lacks(const struct pool_device *shown,
    const struct pool_device *);

/* Properties that name a single device, not what it is. */
bool view_is_identity(uint32_t param);

/*
 * Make the view of a pool.  only: words with commas between them, patterns of
 * device or vendor names, or places in the view, of which a device has to
 * match one; empty: all.  Devices have the names that they are shown with, see
 * alias.h.  The pool is borrowed until view_fini.  VGPU_ENOMEM.
 */
enum vgpu_err view_make(struct view *, const struct pool *, enum view_kind,
    const char *only, const char *names);
void view_fini(struct view *);

/*
 * Its devices for people, each with its place and the name that it is shown
 * with: "0 Card, 1 Processor"; cut to size, then ended by "...".
 */
void view_list(const struct view *, const char *names, char *out,
    size_t size);

#endif
