/* SPDX-License-Identifier: ISC */
/*
 * include - the files that a program's #include lines can reach.
 *
 * They are on the client and the compiler is on the host, so they travel with
 * the build.  The host keeps a copy of the client's tree below a folder R: a
 * file is at R/<its absolute path on the client>.  It compiles with -I
 * R/<folder> for each folder of the result, in order, and -I R last, so quoted
 * and angled includes work as they are.  Only an include that names an absolute
 * path, or a macro that expands to one, or steps out of a symbolic link by "..",
 * is rewritten, on its own line, to a path below R: #include </usr/x.h> becomes
 * #include <usr/x.h>.
 *
 * Conditionals are not evaluated and every definition of a macro is tried: what
 * might be reached is shipped.  What is not found is left for the compiler to
 * report.  __has_include of an absolute path is not rewritten.
 */
#ifndef VGPU_ICD_INCLUDE_H
#define VGPU_ICD_INCLUDE_H

#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"
#include "common/sha256.h"
#include "icd-vgpu/options.h"

#define INCLUDE_FILES_MAX 4096
#define INCLUDE_BYTES_MAX ((size_t)64 << 20)

struct include_source {
	const char *name; /* of a header program (clCompileProgram), or NULL */
	const char *text;
	size_t len;
};

struct include_request {
	const struct include_source *source; /* the program, its headers */
	size_t n_source;
	const struct options *options;	/* folders and macros; NULL: none */
	const char *cwd;		/* absolute; NULL: getcwd(3) */
};

struct include_file {
	char *path;	/* absolute, without "." and ".." */
	char *data;	/* as shipped: include lines may be rewritten */
	size_t len;
	uint8_t hash[SHA256_LEN]; /* of data */
};

struct include_text {
	char *text;	/* NULL: the source is to be used unchanged */
	size_t len;
};

struct includes {
	struct include_file *file; /* sorted by path */
	size_t n_file;
	char **folder;	/* to search, in order; absolute, without ".." */
	size_t n_folder;
	char **make;	/* sorted; folders that must exist, though empty */
	size_t n_make;
	struct include_text *source; /* one for each of the request */
	size_t n_source;
	uint8_t manifest[SHA256_LEN]; /* names the tree; see common/manifest */
};

/*
 * Find all files.  The request and what it points to are borrowed for the call;
 * the result belongs to the caller, who ends it with include_fini.  Sources
 * without an include line cost one search of their bytes, and give n_file 0,
 * with n_folder and n_make 0 too.
 *
 * The current folder is searched before those of -I, as PoCL does; it is among
 * the folders only where a file below it was found.  An include that names a
 * header program is left alone.  Only regular files are opened.
 * VGPU_EQUOTA: more than INCLUDE_FILES_MAX or INCLUDE_BYTES_MAX; text says
 * which.  VGPU_ENOMEM.  VGPU_ESYS: no SHA-256.  On error there is nothing to
 * end.
 */
enum vgpu_err include_collect(struct includes *,
    const struct include_request *, struct err_text *);

void include_fini(struct includes *);

/*
 * Append the manifest (common/manifest.h) of the folders to make and the files;
 * its SHA-256 is includes.manifest.
 */
void include_manifest(const struct includes *, struct buf *out);

#endif
