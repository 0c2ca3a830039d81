/* SPDX-License-Identifier: ISC */
/*
 * tree - files of the client that are to be shipped, each read once.
 *
 * A file is known by a canonical path, without "." and "..": that is where the
 * host's compiler looks for it.  As the host's copy has no symbolic links, a
 * path that steps out of a link by ".." is resolved to where it really leads.
 * Links are kept otherwise, since names beside a file count from the name it
 * was included by.  Only regular files are opened, so nothing blocks and no
 * device is touched.
 */
#ifndef VGPU_ICD_TREE_H
#define VGPU_ICD_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

struct tree_file {
	char *path;	/* canonical */
	char *data;
	size_t len;
};

struct tree {
	struct tree_file **file; /* in the order of finding */
	size_t n;
	size_t bytes;	/* of all files */
	size_t max_files, max_bytes;
	void *index;	/* by path */
};

void tree_init(struct tree *, size_t max_files, size_t max_bytes);
void tree_fini(struct tree *);

/*
 * Find or read the file of a canonical path, which is copied.
 * VGPU_EHANDLE: there is no such regular file, or it can't be read.
 * VGPU_EQUOTA: a limit would be passed; text says which.  VGPU_ENOMEM.
 */
enum vgpu_err tree_find(struct tree *, const char *path, struct err_text *);

/*
 * The canonical path of an absolute one, in *path, which the caller frees.
 * *as_text: it is the path's text without ".." (or no ".." led out of a link);
 * else it is where the path really leads.
 * VGPU_EHANDLE: the path has a ".." and leads nowhere.  VGPU_ENOMEM.
 */
enum vgpu_err tree_resolve(const char *spelled, char **path, bool *as_text);

/*
 * Paths as text, from malloc; NULL when there is no memory.  A join of an
 * absolute name is the name.  canonical removes "." and empty components, and
 * each ".." with the component before it, from n bytes of an absolute path.
 */
char *tree_join(const char *folder, const char *name);
char *tree_canonical(const char *path, size_t n);

#endif
