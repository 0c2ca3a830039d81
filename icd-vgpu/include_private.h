/* SPDX-License-Identifier: ISC */
/*
 * include_private - a collection in the making: include.c sets it up,
 * include_find.c finds the files, include_result.c makes the result of them.
 */
#ifndef VGPU_ICD_INCLUDE_PRIVATE_H
#define VGPU_ICD_INCLUDE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "icd-vgpu/include.h"
#include "icd-vgpu/macro.h"
#include "icd-vgpu/scan.h"
#include "icd-vgpu/tree.h"

/* An #include line. */
struct include_line {
	enum scan_kind kind;
	size_t start, end;	/* in its unit's text */
	char *operand;
	char *target;	/* the absolute path to rewrite it to, or NULL */
};

/* A text with includes: a source of the request, or a file of the tree. */
struct include_unit {
	const char *text;
	size_t len;
	const char *name;	/* of a header program, or NULL */
	const char *path;	/* of a file, or NULL */
	bool has_defines;	/* they are in the macro table */
	struct include_line *line;
	size_t n_line;
};

struct include_folder {
	char *path;	/* canonical */
	bool used;	/* a file was found through it */
};

struct collection {
	const struct include_request *request;
	struct tree tree;
	struct macro_table *macros;
	struct include_unit *unit; /* sources, then files as in tree */
	size_t n_unit;
	struct include_folder *folder; /* the current one, then those of -I */
	size_t n_folder;
	char **make;	/* folders that ".." steps out of; with repetitions */
	size_t n_make;
	struct err_text *text;
};

/* Find all files and set the lines' targets.  Errors as include_collect. */
enum vgpu_err include_find(struct collection *);

/*
 * Make the result, for which the tree's files are used up.  On error what was
 * made so far is the caller's to end.  VGPU_ENOMEM, VGPU_ESYS.
 */
enum vgpu_err include_make_result(struct collection *, struct includes *);

#endif
