/* SPDX-License-Identifier: ISC */
/*
 * uses - what a command reads and writes of memory objects.
 *
 * Copies, fills and bodies name their ranges.  A kernel may use all of each
 * object that it is given, and write it unless the object or the parameter is
 * for reading.  What is only written is overwritten wholly, so what was there
 * is not needed.
 */
#ifndef VGPU_HOSTD_USES_H
#define VGPU_HOSTD_USES_H

#include "hostd/serve.h"

struct vmem;

struct use {
	struct vmem *root;	/* a reference */
	size_t at, size;	/* never empty */
	bool read, write;
};

#define USES_FEW 4

struct uses {
	unsigned count, room;
	struct use *use;
	struct use few[USES_FEW];
};

/*
 * Those of a command of the member, whose message is decoded and resolved.
 * The native objects are made in the member where they are not there yet; ranges
 * outside of an object are left out, as the command will fail.
 */
cl_int uses_find(struct uses *, const struct call *, unsigned member);
void uses_fini(struct uses *);

#endif
