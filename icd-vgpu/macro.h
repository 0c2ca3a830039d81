/* SPDX-License-Identifier: ISC */
/*
 * macro - all definitions that were seen, and what they make an #include name.
 *
 * Conditionals are not evaluated, so a macro may have several definitions, or
 * none where it seems to have one.  Each is tried, the likeliest first: the
 * build options', then those of the same text before the line, latest first,
 * then all others.
 */
#ifndef VGPU_ICD_MACRO_H
#define VGPU_ICD_MACRO_H

#include <stddef.h>

#include "common/err.h"
#include "icd-vgpu/options.h"

/* Spellings that are tried for one line. */
#define MACRO_TRIES_MAX 256

/* The text number of the build options; others are the caller's, from 0. */
#define MACRO_OPTIONS ((size_t)-1)

struct macro_table;

struct macro_table *macro_table_new(void);
void macro_table_free(struct macro_table *);

/*
 * Enter the operand of a #define at an offset of a text, which is copied; what
 * is no definition is passed over.  VGPU_ENOMEM.
 */
enum vgpu_err macro_add(struct macro_table *, const char *operand, size_t text,
    size_t offset);

/* Enter an option's definition; an undefinition is passed over. */
enum vgpu_err macro_add_option(struct macro_table *,
    const struct option_macro *);

/* Takes "name" or <name>; an error ends the trying. */
typedef enum vgpu_err macro_take(void *arg, const char *spelling);

/*
 * Expand the operand of an #include at an offset of a text in every way, and
 * report what it names, likeliest first; a spelling may be reported again.
 * Returns what take returned.  VGPU_ENOMEM.
 */
enum vgpu_err macro_try_all(struct macro_table *, const char *operand,
    size_t text, size_t offset, macro_take *take, void *arg);

#endif
