/* SPDX-License-Identifier: ISC */
/*
 * expand - what an #include line names once its macros are expanded.
 *
 * Macro expansion as ISO C 6.10.3 has it (arguments, # and ##, rescanning, a
 * macro not within itself; by hide sets), on one line, with the definitions
 * that a callback chooses.  Spellings and single blanks are kept as a compiler
 * keeps them, since the result is a path.
 */
#ifndef VGPU_ICD_EXPAND_H
#define VGPU_ICD_EXPAND_H

#include <stddef.h>

#include "common/err.h"

/*
 * The definition of a macro: what follows its name in the #define line, so that
 * a first '(' means parameters.  NULL: it is not defined.  The text outlives
 * the expansion, and the answer for a name stays the same during it.
 */
typedef const char *expand_lookup(void *arg, const char *name, size_t n);

/*
 * Expand the operand of an #include and store what it names, as "name" or
 * <name>, in *out, which the caller frees; NULL where it does not come to
 * either, or is out of all proportion, and on error.  VGPU_ENOMEM.
 */
enum vgpu_err expand_include(const char *operand, expand_lookup *, void *arg,
    char **out);

#endif
