/* SPDX-License-Identifier: ISC */
/*
 * folder - the private folder of one run: certificates, keys, the port of the
 * daemon, its log, and what the ICD loader is to find.
 *
 * Only this user can enter it, and it is removed at the end.  A run that was
 * killed can't remove its own: the next run does, since nobody holds the lock
 * on that folder any more.
 */
#ifndef VGPU_RUN_FOLDER_H
#define VGPU_RUN_FOLDER_H

#include <limits.h>
#include <stdbool.h>

#include "common/err.h"

#define FOLDER_MAX (PATH_MAX - 64)

struct folder {
	char path[FOLDER_MAX];
	int lock;
};

/* The daemon's Unix socket in it. */
#define FOLDER_SOCKET "hostd.sock"

/* And the one where vgpuctl asks, where the path is not too long for one. */
#define FOLDER_CONTROL "control"
#define FOLDER_CONTROL_MAX 107

/*
 * Make it; remove those that killed runs left.  Its name is short enough for a
 * socket in it where local is true.  VGPU_ESYS.
 */
enum vgpu_err folder_make(struct folder *, bool local, struct err_text *);

/* Remove it with all that is in it. */
void folder_remove(struct folder *);

/* The path of a file in it; out has room for PATH_MAX.  Returns out. */
const char *folder_file(const struct folder *, const char *name, char *out);

/* Make the certificates of a CA, this host and a client in it. */
enum vgpu_err folder_certify(const struct folder *, struct err_text *);

/*
 * Make the folder "vendors" in it, with vgpu's .icd file, and, where native is
 * not NULL, the .icd files of that folder.
 */
enum vgpu_err folder_vendors(const struct folder *, const char *icd,
    const char *native, struct err_text *);

#endif
