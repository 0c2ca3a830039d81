/* SPDX-License-Identifier: ISC */
/*
 * program_code - what a program is made of: source, or an intermediate
 * language with specialization constants.
 *
 * The recipe of a program has it, so that a native program can be made anew
 * where the one at hand was made of something else: of a source with rewritten
 * include lines, or of a binary that an earlier build has left (reuse.h).
 */
#ifndef VGPU_HOSTD_PROGRAM_CODE_H
#define VGPU_HOSTD_PROGRAM_CODE_H

#include "common/infoset.h"
#include "hostd/object.h"
#include "protocol/codec.h"

struct program_code {
	struct span bytes;
	bool il;
	/* By id, as set: the last one of an id holds.  NULL: none. */
	const struct infoset *constants;
};

/* What the client gave; false: it was made of something else. */
bool program_code_get(struct program_code *, const struct vobj *recipe_of,
    const struct infoset *constants);

/* Make a native program of it; NULL and the vendor's code on failure. */
cl_program program_code_make(const struct program_code *, cl_context,
    cl_int *code);

/* Set those constants that begin at this byte of the set, or behind it. */
cl_int program_code_set(cl_program, const struct infoset *, size_t from);

#endif
