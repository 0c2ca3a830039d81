/* SPDX-License-Identifier: ISC */
/*
 * tree - files of the client that are to be shipped, each read once.
 *
 * A file is opened by the path as the program spells it, with its ".." and
 * through symbolic links, but is known by the canonical text of that path,
 * which is where the host's compiler looks for it.  Only regular files are
 * opened, so nothing blocks and no device is touched.
 */
#ifndef VGPU_ICD_TREE_H
#define VGPU_ICD_TREE_H

#include <stddef.h>

#include "common/err.h"

struct tree_file {
	char *path;	/* canonical */
	char *spelled;	/* as it was opened; absolute */
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
 * Find or read the file of an absolute path.
 * VGPU_EHANDLE: there is no such regular file, or it can't be read.
 * VGPU_EQUOTA: a limit would be passed; text says which.  VGPU_ENOMEM.
 */
enum vgpu_err tree_find(struct tree *, const char *spelled,
    struct err_text *);

/*
 * Paths as text, from malloc; NULL when there is no memory.  A join of an
 * absolute name is the name.  canonical removes "." and empty components, and
 * each ".." with the component before it, from n bytes of an absolute path.
 */
char *tree_join(const char *folder, const char *name);
char *tree_canonical(const char *path, size_t n);

#endif
