/* SPDX-License-Identifier: ISC */
/*
 * graph_model - what operations touch, and what they do, one after the other.
 */
#include "tests/regress/graph_private.h"

#include <string.h>

unsigned
root_of(unsigned mem)
{
	return mem / (1 + PARTS);
}

unsigned
begin_of(const struct run *r, unsigned mem)
{
	const unsigned part = mem % (1 + PARTS);

	return part == 0 ? 0 : (part - 1) * r->w->part_words;
}

unsigned
words_of(const struct run *r, unsigned mem)
{
	return mem % (1 + PARTS) == 0 ? WORDS : r->w->part_words;
}

/* ---- what an operation touches ----------------------------------------- */

/* The range of op's first or second object, kept inside of it. */
void
op_range(const struct run *r, const struct op *o, bool second, unsigned *at,
    unsigned *count)
{
	unsigned one = words_of(r, o->mem % MEMS), n = one;

	if (o->type == OP_COPY || o->type == OP_AXPY) {
		one = words_of(r, o->mem2 % MEMS);
		n = one < n ? one : n;
	}
	*count = 1 + o->count % n;
	one = words_of(r, (second ? o->mem2 : o->mem) % MEMS);
	if (*count > one)	/* there is no second one */
		one = *count;
	*at = (second ? o->at2 : o->at) % (one - *count + 1);
}

void
op_rect(const struct run *r, const struct op *o, unsigned *at, unsigned *rows)
{
	const unsigned all = words_of(r, o->mem % MEMS) / RECT_ROW;

	*rows = 1 + o->count % all;
	*at = o->at % (all - *rows + 1) * RECT_ROW + o->at2 % RECT_COLUMNS;
}

static void
touch(struct run *r, struct node *n, unsigned mem, unsigned at,
    unsigned count, bool write)
{
	const unsigned begin = begin_of(r, mem) + at;

	n->span[n->span_count++] = (struct span_of){ root_of(mem), begin,
		begin + count, write };
}

void
node_find_spans(struct run *r, struct node *n)
{
	const struct op *o = &n->op;
	const unsigned m = o->mem % MEMS, m2 = o->mem2 % MEMS;
	unsigned at, count;

	op_range(r, o, false, &at, &count);
	switch (o->type) {
	case OP_WRITE:
	case OP_FILL:
	case OP_MAP_WRITE:
		touch(r, n, m, at, count, true);
		break;
	case OP_READ:
	case OP_MAP_READ:
		touch(r, n, m, at, count, false);
		break;
	case OP_WRITE_RECT:
	case OP_READ_RECT:
		op_rect(r, o, &at, &count);
		touch(r, n, m, at, (count - 1) * RECT_ROW + RECT_COLUMNS,
		    o->type == OP_WRITE_RECT);
		break;
	case OP_COPY:
		touch(r, n, m, at, count, true);
		op_range(r, o, true, &at, &count);
		touch(r, n, m2, at, count, false);
		break;
	case OP_AXPY:
		touch(r, n, m2, 0, words_of(r, m2), false);
		/* FALLTHROUGH */
	case OP_ADD:
	case OP_SET:
	case OP_MIGRATE:	/* nothing else may use it meanwhile (5.5.4) */
		/* Any of it may be accessed, as far as others can know. */
		touch(r, n, m, 0, words_of(r, m), true);
		break;
	default:
		break;
	}
}

bool
node_conflict(const struct node *a, const struct node *b)
{
	const struct span_of *x, *y;
	unsigned i, k;

	for (i = 0; i < a->span_count; i++)
		for (k = 0; k < b->span_count; k++) {
			x = &a->span[i];
			y = &b->span[k];
			if (x->root == y->root && (x->write || y->write) &&
			    x->begin < y->end && y->begin < x->end)
				return true;
		}
	return false;
}

/* ---- the model --------------------------------------------------------- */

uint32_t *
model_place(struct run *r, unsigned mem, unsigned at)
{
	return &r->model[root_of(mem)][begin_of(r, mem) + at];
}

static void
apply_rect(struct run *r, struct node *n)
{
	unsigned at, rows, row;
	uint32_t *to, *body = n->op.type == OP_WRITE_RECT ? n->data :
	    n->expected;

	op_rect(r, &n->op, &at, &rows);
	for (row = 0; row < rows; row++) {
		to = model_place(r, n->op.mem % MEMS, at + row * RECT_ROW);
		if (n->op.type == OP_WRITE_RECT)
			memcpy(to, body + row * RECT_COLUMNS,
			    RECT_COLUMNS * sizeof(*to));
		else
			memcpy(body + row * RECT_COLUMNS, to,
			    RECT_COLUMNS * sizeof(*to));
	}
}

void
model_apply(struct run *r, struct node *n)
{
	const struct op *o = &n->op;
	unsigned at, at2, count, i;
	uint32_t *to;

	op_range(r, o, false, &at, &count);
	op_range(r, o, true, &at2, &count);
	to = model_place(r, o->mem % MEMS, at);
	n->held = false;
	if (o->type == OP_WRITE_RECT || o->type == OP_READ_RECT)
		apply_rect(r, n);
	else if (o->type == OP_READ || o->type == OP_MAP_READ)
		memcpy(n->expected, to, count * sizeof(*to));
	else if (o->type == OP_WRITE || o->type == OP_MAP_WRITE)
		memcpy(to, n->data, count * sizeof(*to));
	else if (o->type == OP_COPY)
		memmove(to, model_place(r, o->mem2 % MEMS, at2),
		    count * sizeof(*to));
	for (i = 0; i < count; i++) {
		if (o->type == OP_FILL)
			to[i] = o->value;
		else if (o->type == OP_ADD)
			to[i] += o->value;
		else if (o->type == OP_SET)
			to[i] = o->value ^ i;
		else if (o->type == OP_AXPY)
			to[i] += o->value *
			    model_place(r, o->mem2 % MEMS, at2)[i];
	}
}
