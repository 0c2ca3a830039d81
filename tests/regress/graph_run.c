/* SPDX-License-Identifier: ISC */
/*
 * graph_run - a graph, on the devices and beside them in the model.
 */
#include "tests/regress/graph_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------ */

static bool
make_memory(struct run *r)
{
	cl_buffer_region region;
	unsigned i;
	cl_int code = CL_SUCCESS;

	for (i = 0; i < MEMS && code == CL_SUCCESS; i++) {
		if (i % (1 + PARTS) == 0) {
			r->mem[i] = clCreateBuffer(r->w->context,
			    CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
			    sizeof(r->model[0]), r->model[root_of(i)], &code);
			continue;
		}
		region.origin = begin_of(r, i) * sizeof(uint32_t);
		region.size = words_of(r, i) * sizeof(uint32_t);
		r->mem[i] = clCreateSubBuffer(r->mem[root_of(i) * (1 + PARTS)],
		    0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
	}
	run_check(r, code, "memory");
	return code == CL_SUCCESS;
}

/* ---- waiting ----------------------------------------------------------- */

static void
see(struct run *r, struct node *n)
{
	const size_t bytes = sizeof(n->data);

	if (n->seen || r->failed)
		return;
	run_check(r, clWaitForEvents(1, &n->event), "clWaitForEvents");
	n->seen = true;
	if ((n->op.type == OP_READ || n->op.type == OP_READ_RECT) &&
	    memcmp(n->data, n->expected, bytes) != 0)
		run_fail(r, "op %u read something else", (unsigned)(n - r->node));
}

/* Let go what is held; what was to come before has to be over. */
static void
let_go(struct run *r)
{
	unsigned i;

	if (r->user == NULL)
		return;
	for (i = 0; i < r->count; i++)
		if (!r->node[i].held)
			see(r, &r->node[i]);
	run_check(r, clSetUserEventStatus(r->user, CL_COMPLETE),
	    "clSetUserEventStatus");
	clReleaseEvent(r->user);
	r->user = NULL;
	for (i = 0; i < r->count; i++)
		if (r->node[i].held)
			model_apply(r, &r->node[i]);
}

/* ---- enqueueing -------------------------------------------------------- */

/* Is it held by what comes before it in its queue? */
static bool
held_by_queue(const struct run *r, const struct node *n)
{
	const bool all = r->w->in_order[n->queue] ||
	    n->op.type == OP_MARKER || n->op.type == OP_BARRIER;
	unsigned i;

	for (i = 0; i < r->count; i++)
		if (r->node[i].held && r->node[i].queue == n->queue &&
		    (all || r->node[i].op.type == OP_BARRIER))
			return true;
	return false;
}

static bool
meets_held(const struct run *r, const struct node *n)
{
	unsigned i;

	for (i = 0; i < r->count; i++)
		if (r->node[i].held && node_conflict(&r->node[i], n))
			return true;
	return false;
}

static void
find_waits(struct run *r, const struct node *n, struct waits *w)
{
	const struct node *b;
	unsigned i;
	bool same;

	w->count = 0;
	for (i = 0; i < r->count; i++) {
		b = &r->node[i];
		same = b->queue == n->queue && r->w->in_order[n->queue];
		if (b->seen || !node_conflict(b, n) || (b->held && !n->held) ||
		    (same && !n->op.explicit))
			continue;
		w->event[w->count++] = b->event;
	}
	if (n->op.hold && n->held)
		w->event[w->count++] = r->user;
}

/* Within one root ranges may overlap, which copies and kernels may not. */
static bool
is_allowed(const struct node *n)
{
	return n->span_count < 2 || n->span[0].root != n->span[1].root;
}

/* Commands that the program waits for can't be held. */
static bool
must_be_free(enum op_type type)
{
	return type == OP_MAP_READ || type == OP_MAP_WRITE;
}

static void
add(struct run *r, const struct op *o)
{
	struct node *n = &r->node[r->count];
	struct waits w;
	unsigned i;
	cl_int code;

	memset(n, 0, sizeof(*n));
	n->op = *o;
	n->queue = o->queue % r->w->queue_count;
	for (i = 0; i < WORDS && (o->type == OP_WRITE ||
	    o->type == OP_WRITE_RECT || o->type == OP_MAP_WRITE); i++)
		n->data[i] = o->value + i;
	node_find_spans(r, n);
	if (!is_allowed(n))
		return;
	n->held = held_by_queue(r, n) || (o->join && meets_held(r, n));
	if (must_be_free(o->type) && n->held) {
		let_go(r);
		n->held = false;
	}
	if (o->hold && !must_be_free(o->type)) {
		if (r->user == NULL)
			r->user = clCreateUserEvent(r->w->context, &code);
		n->held = true;
	}
	find_waits(r, n, &w);
	node_enqueue(r, n, &w);
	if (r->failed)
		return;
	r->count++;
	if (!n->held)
		model_apply(r, n);
	if (o->blocking && !n->held)
		see(r, n);
}

static void
finish(struct run *r, unsigned queue)
{
	unsigned i;

	let_go(r);
	run_check(r, clFinish(r->w->queue[queue]), "clFinish");
	for (i = 0; i < r->count; i++)
		if (r->node[i].queue == queue)
			see(r, &r->node[i]);
}

/* ---- all --------------------------------------------------------------- */

static void
compare(struct run *r)
{
	uint32_t now[WORDS];
	unsigned i, k, q;

	for (i = 0; i < ROOTS && !r->failed; i++) {
		q = i % r->w->queue_count;
		run_check(r, clEnqueueReadBuffer(r->w->queue[q],
		    r->mem[i * (1 + PARTS)], CL_TRUE, 0, sizeof(now), now, 0,
		    NULL, NULL), "last read");
		for (k = 0; k < WORDS && !r->failed; k++)
			if (now[k] != r->model[i][k])
				run_fail(r, "root %u word %u is %x, not %x", i, k,
				    now[k], r->model[i][k]);
	}
}

static void
release(struct run *r)
{
	unsigned i;

	for (i = 0; i < r->count; i++)
		clReleaseEvent(r->node[i].event);
	for (i = MEMS; i-- > 0;)
		if (r->mem[i] != NULL)
			clReleaseMemObject(r->mem[i]);
}

bool
graph_run(const struct world *w, const struct graph *g, char *text,
    size_t size)
{
	struct run *r = calloc(1, sizeof(*r));
	unsigned i;
	bool ok;

	r->w = w;
	r->text = text;
	r->size = size;
	for (i = 0; i < ROOTS * WORDS; i++)
		r->model[i / WORDS][i % WORDS] = i * 7919u;
	if (make_memory(r))
		for (i = 0; i < g->count && !r->failed; i++) {
			if (g->op[i].type == OP_FINISH)
				finish(r, g->op[i].queue % w->queue_count);
			else if (g->op[i].type == OP_RELEASE)
				let_go(r);
			else
				add(r, &g->op[i]);
		}
	let_go(r);
	for (i = 0; i < r->count; i++)
		see(r, &r->node[i]);
	compare(r);
	ok = !r->failed;
	for (i = 0; i < w->queue_count; i++)
		clFinish(w->queue[i]);
	release(r);
	free(r);
	return ok;
}
