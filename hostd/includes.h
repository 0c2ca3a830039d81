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

#include <stddef.h>

#include "common/err.h"
#include "protocol/codec.h"

/* What one build may bring, and what one session may store in all. */
#define INCLUDES_ENTRIES_MAX 16384
#define INCLUDES_BYTES_MAX ((uint64_t)64 << 20)
#define INCLUDES_SESSION_MAX ((uint64_t)1 << 30)

/* A link that stands for a folder whose name a vendor would not take. */
struct includes_alias {
	char *link;
	char *folder;	/* on the client */
};

struct includes {
	char *options;	/* " -I ..." to be appended; "" when there is nothing */
	char *root;	/* R, or NULL */
	struct includes_alias *alias;
	size_t alias_count;
};

/*
 * Store the files that came and make the mirror.  VGPU_EPROTO: the manifest
 * or a folder is wrong, or a file never came.  VGPU_EQUOTA: a limit from above.
 * VGPU_ESYS: the disk.  VGPU_ENOMEM.  text says which.  After an error there
 * is nothing to end.  Any thread.
 */
enum vgpu_err includes_open(struct includes *, const char *state_dir,
    const struct span *dirs, const struct span *manifest,
    const struct span *files, struct err_text *);
void includes_fini(struct includes *);

/*
 * Take R out of a log, in place, so that it names the client's files.  A folder
 * whose name is longer than its link's keeps a short name.
 */
void includes_clean(const struct includes *, char *log);

#endif
