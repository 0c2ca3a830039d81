/* SPDX-License-Identifier: ISC */
/*
 * graph_private - a run of a graph, in the model.
 */
#ifndef VGPU_TESTS_GRAPH_PRIVATE_H
#define VGPU_TESTS_GRAPH_PRIVATE_H

#include "tests/regress/graph.h"

/* Words of a root that an operation reads or writes. */
struct span_of {
	unsigned root, begin, end;
	bool write;
};

struct node {
	struct op op;
	unsigned queue;
	cl_event event;
	bool held;		/* not done yet in the model */
	bool seen;		/* the program knows that it has ended */
	unsigned span_count;
	struct span_of span[2];
	uint32_t data[WORDS];	/* of bodies */
	uint32_t expected[WORDS];
};

struct run {
	const struct world *w;
	cl_mem mem[MEMS];
	uint32_t model[ROOTS][WORDS];
	unsigned count;
	struct node node[OPS_MAX];
	cl_event user;		/* what holds, or NULL */
	char *text;
	size_t size;
	bool failed;
};

struct waits {
	cl_uint count;
	cl_event event[OPS_MAX + 1];
};

/* Rectangles are of 4 columns in rows of 8. */
#define RECT_ROW 8u
#define RECT_COLUMNS 4u

unsigned root_of(unsigned mem);
unsigned begin_of(const struct run *, unsigned mem);
unsigned words_of(const struct run *, unsigned mem);

/* The range of an operation's first or second object, inside of it. */
void op_range(const struct run *, const struct op *, bool second, unsigned *at,
    unsigned *count);
void op_rect(const struct run *, const struct op *, unsigned *at,
    unsigned *rows);

/* What an operation reads and writes; whether two of them need an order. */
void node_find_spans(struct run *, struct node *);
bool node_conflict(const struct node *, const struct node *);

/* Where an object's words are in the model; do an operation there. */
uint32_t *model_place(struct run *, unsigned mem, unsigned at);
void model_apply(struct run *, struct node *);

/* The run has failed, unless it has before; so it has with an error code. */
void run_fail(struct run *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void run_check(struct run *, cl_int code, const char *what);

void node_enqueue(struct run *, struct node *, const struct waits *);

#endif
