/* SPDX-License-Identifier: ISC */
/*
 * shipment - the client's files that a build needs, as they travel.
 *
 * A manifest names every file and its hash; contents go along only where this
 * session has not sent them yet.  The host keeps them by their hash.
 */
#ifndef VGPU_ICD_SHIPMENT_H
#define VGPU_ICD_SHIPMENT_H

#include "common/buf.h"
#include "common/err.h"
#include "icd-vgpu/fork.h"
#include "icd-vgpu/include.h"
#include "icd-vgpu/options.h"
#include "protocol/codec.h"

struct shipment {
	struct options options;
	struct includes includes;
	bool used;		/* options and includes are there */
	struct buf manifest;
	struct span *folder;	/* elements of the spans below */
	struct span *header;
	struct span *file;
	/* For the message. */
	struct span options_text, include_dirs, source, header_sources,
	    manifest_bytes, files;
};

/*
 * Collect what the sources reach, the program's first and then its headers'.
 * They are borrowed until shipment_fini.
 * Errors of include_collect; after one there is nothing to end.
 */
enum vgpu_err shipment_init(struct shipment *, const char *options,
    const struct include_source *, size_t n, struct err_text *);
void shipment_fini(struct shipment *);

/*
 * Decide which contents go along, for a message to be queued before
 * shipment_sent; nobody else's message comes between.
 */
void shipment_begin(struct shipment *);
/* ok: the message was queued. */
void shipment_sent(struct shipment *, bool ok);

/* The host could not keep what it got: send everything again. */
void shipment_forget(void);

/* A child after fork has a session of its own. */
void shipment_fork(enum fork_phase);

#endif
