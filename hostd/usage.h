/* SPDX-License-Identifier: ISC */
/*
 * usage - what one session has done, and has still to do, on each device: a
 * page of numbers that its process writes and the parent reads.
 *
 * So a placement knows what is queued at that moment, and no message is sent
 * for it.  The parent makes the page, fills in what it has learned of the
 * tenant's programs (history.h), and hands the session a descriptor whose size
 * nobody can change.  The session may have been taken over by its client: what
 * the parent reads are numbers, each read once and cut to what can be, and they
 * are used for estimates alone.
 *
 * A class is launches of one kernel of one program over about as many work
 * items, on one device; its key is meter.c's.
 */
#ifndef VGPU_HOSTD_USAGE_H
#define VGPU_HOSTD_USAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

#define USAGE_CLASSES 256
#define USAGE_CLASS_NS_MAX 3600000000000u	/* a launch: an hour */
#define USAGE_QUEUED_NS_MAX 60000000000u	/* a queue: a minute */

struct usage;

struct usage_class {
	uint64_t key;		/* not 0 */
	unsigned device;	/* its number */
	uint64_t launches;	/* in this session */
	uint64_t ns;		/* that one takes; 0: not known */
};

/*
 * An empty page; *fd, close-on-exec, is the caller's.  VGPU_ENOMEM,
 * VGPU_ESYS.
 */
enum vgpu_err usage_new(struct usage **, int *fd, struct err_text *);

/* The same page in another process; fd stays the caller's. */
enum vgpu_err usage_map(struct usage **, int fd, struct err_text *);

void usage_free(struct usage *);

/* ---- for the session ------------------------------------------------------- */

/* Its class of launches, at first without any; NULL: no room. */
struct usage_slot;
struct usage_slot *usage_class(struct usage *, uint64_t key, unsigned device);

uint64_t usage_slot_ns(const struct usage_slot *);
void usage_slot_set(struct usage_slot *, uint64_t ns);
void usage_slot_launched(struct usage_slot *);

void usage_add_queued(struct usage *, unsigned device, int64_t ns);
void usage_add_busy(struct usage *, unsigned device, uint64_t ns);
void usage_add_memory(struct usage *, unsigned device, int64_t bytes);
/* Programs were built for it; that took so long, 0: they were there. */
void usage_built(struct usage *, unsigned device, uint64_t ns);

/* ---- for the parent -------------------------------------------------------- */

/* In nanoseconds: what waits or runs now, what has run. */
uint64_t usage_queued(const struct usage *, unsigned device);
uint64_t usage_busy(const struct usage *, unsigned device);

/* Bytes of objects there now, and at most on any device. */
uint64_t usage_memory(const struct usage *, unsigned device);
uint64_t usage_peak(const struct usage *);

/* For which devices programs were built; none from the end on. */
unsigned usage_built_end(const struct usage *);
bool usage_has_built(const struct usage *, unsigned device);
uint64_t usage_build_ns(const struct usage *);

/* The class in a place (of USAGE_CLASSES); false: none. */
bool usage_class_at(const struct usage *, unsigned place,
    struct usage_class *);

#endif
