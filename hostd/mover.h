/* SPDX-License-Identifier: ISC */
/*
 * mover - copies a part of a memory object from one member to another.
 *
 * The part is mapped in the member that has it, which costs nothing where the
 * device works in the process's own memory, and written to the other one from
 * there.  Each member has a queue of its own for that, so a copy waits for no
 * command of the program's.
 *
 * The loop thread's; nothing waits, except for simulators.
 */
#ifndef VGPU_HOSTD_MOVER_H
#define VGPU_HOSTD_MOVER_H

#include "hostd/serve.h"

struct vmem;

struct move {
	struct vmem *root;	/* an image: all of it */
	unsigned from, to;
	size_t at, size;
};

/*
 * Start it.  done(serve, arg, move, code) is called in the loop thread, later
 * or at once.
 */
void mover_start(struct serve *, const struct move *,
    void (*done)(struct serve *, void *, const struct move *, cl_int),
    void *arg);

/* The whole of an image; arrays have their layers as the last dimension. */
void mover_region(cl_mem image, size_t region[3]);

#endif
