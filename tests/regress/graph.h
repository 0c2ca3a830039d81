/* SPDX-License-Identifier: ISC */
/*
 * graph - random graphs of commands, and what they have to do.
 *
 * A graph is a list of operations.  Run on several devices of one context, each
 * in some queue, synchronised as OpenCL asks for and not more, it has to end as
 * if they had been done one after the other.
 *
 * Some operations are held by a user event until the program sets it; others
 * that come later are then done, and waited for, before them.
 */
#ifndef VGPU_TESTS_GRAPH_H
#define VGPU_TESTS_GRAPH_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#define ROOTS 3
#define WORDS 512		/* in each root */
#define PARTS 4			/* sub-buffers of each root */
#define MEMS (ROOTS * (1 + PARTS))
#define QUEUES_MAX 32
#define OPS_MAX 64

enum op_type {
	OP_WRITE, OP_READ, OP_COPY, OP_FILL, OP_WRITE_RECT, OP_READ_RECT,
	OP_MAP_READ, OP_MAP_WRITE, OP_ADD, OP_AXPY, OP_SET, OP_MARKER,
	OP_BARRIER, OP_MIGRATE, OP_FINISH, OP_RELEASE, OP_TYPES
};

/* All that was decided by chance; numbers are taken modulo what there is. */
struct op {
	enum op_type type;
	unsigned queue, mem, mem2, at, at2, count;
	uint32_t value;
	bool hold;	/* by the user event */
	bool join;	/* where it meets held ones: after them, not before */
	bool explicit;	/* name events also where the queue's order is enough */
	bool blocking;
};

struct graph {
	unsigned count;
	struct op op[OPS_MAX];
};

/* One context over all devices, its queues, kernels and memory. */
struct world {
	cl_context context;
	unsigned queue_count;
	cl_command_queue queue[QUEUES_MAX];
	bool in_order[QUEUES_MAX];
	const char *name[QUEUES_MAX];
	cl_program program;
	cl_kernel add, axpy, set;
	unsigned part_words;	/* of a sub-buffer */
};

bool world_open(struct world *);
void world_close(struct world *);

void graph_make(struct graph *, unsigned seed);
void graph_print(const struct graph *, const struct world *);

/* True: it ended as it had to; else the reason is in text. */
bool graph_run(const struct world *, const struct graph *, char *text,
    size_t size);

/* Leave out what is not needed for it to fail. */
void graph_shrink(const struct world *, struct graph *);

#endif
