/* SPDX-License-Identifier: ISC */
/*
 * usm_private - what usm.c (which commands touch twins, and when) and
 * usm_change.c (how their changes travel) share.
 *
 * But for usm_kind, only under the lock in usm.c.
 */
#ifndef VGPU_ICD_USM_PRIVATE_H
#define VGPU_ICD_USM_PRIVATE_H

#include "icd-vgpu/usm.h"

/* USM_HOST, USM_DEVICE or USM_SHARED; 0: it is none of them. */
unsigned usm_kind(const struct svm *);

/* Twins of a context, each once; begun with its context and all else 0. */
struct usm_found {
	const struct context *context;
	unsigned kinds;
	struct svm **list;
	size_t count, room;
	bool failed;		/* there was no memory for some */
};

/* Add those of some kinds, and those that the pointers lie in. */
void usm_find(struct usm_found *, unsigned kinds, const void *const *,
    size_t count);
void usm_found_fini(struct usm_found *);

/*
 * Tell the host what the program has written.  CL_OUT_OF_HOST_MEMORY,
 * CL_DEVICE_NOT_AVAILABLE.
 */
cl_int usm_push(const struct context *, const struct usm_found *);

/* Fetch what the host has written. */
void usm_pull(const struct usm_found *);

#endif
