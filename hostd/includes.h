/* SPDX-License-Identifier: ISC */
/*
 * includes - the client's include files, as the vendor's compiler finds them.
 *
 * They are kept in a mirror: below a folder R every file has the path that it
 * has on the client.  R is named by the manifest's hash, lies in the tenant's
 * own folder and stays, so that the same files have the same path in every
 * session and the vendor's cache of compiled kernels hits.  Contents are kept
 * by their hash and cross the network once.
 */
#ifndef VGPU_HOSTD_INCLUDES_H
#define VGPU_HOSTD_INCLUDES_H

#include "hostd/serve.h"

struct includes {
	char *options;	/* " -I ..." to be appended; "" when there is nothing */
	char *root;	/* R, or NULL */
};

/*
 * Store the files that came and make the mirror.  VGPU_EPROTO: the manifest
 * is wrong or names a file that never came.  VGPU_ESYS: the disk.  text says
 * which.  After an error there is nothing to end.
 */
enum vgpu_err includes_open(struct includes *, const char *state_dir,
    const struct span *dirs, const struct span *manifest,
    const struct span *files, struct err_text *);
void includes_fini(struct includes *);

/* Take R out of a log, so that it names the client's files; in place. */
void includes_clean(const struct includes *, char *log);

#endif
