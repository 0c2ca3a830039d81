/* SPDX-License-Identifier: ISC */
/*
 * graph_make - graphs by chance, and smaller ones that fail, too.
 */
#include "tests/regress/graph.h"

#include <stdio.h>
#include <string.h>

static const char *const names[OP_TYPES] = { "write", "read", "copy", "fill",
	"write-rect", "read-rect", "map-read", "map-write", "add", "axpy",
	"set", "marker", "barrier", "migrate", "finish", "release" };

/* xorshift: the same everywhere. */
static uint32_t
next(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static bool
chance(uint32_t *state, unsigned percent)
{
	return next(state) % 100 < percent;
}

void
graph_make(struct graph *g, unsigned seed)
{
	uint32_t state = seed * 2654435761u + 1;
	struct op *o;
	unsigned i;

	memset(g, 0, sizeof(*g));
	for (i = 0; i < 4; i++)
		next(&state);
	g->count = 4 + next(&state) % (OPS_MAX - 4);
	for (i = 0; i < g->count; i++) {
		o = &g->op[i];
		o->type = (enum op_type)(next(&state) % OP_TYPES);
		o->queue = next(&state);
		o->mem = next(&state);
		o->mem2 = next(&state);
		o->at = next(&state);
		o->at2 = next(&state);
		o->count = next(&state);
		o->value = next(&state);
		o->hold = chance(&state, 8);
		o->join = chance(&state, 50);
		o->explicit = chance(&state, 50);
		o->blocking = chance(&state, 15);
	}
}

void
graph_print(const struct graph *g, const struct world *w)
{
	const struct op *o;
	unsigned i;

	for (i = 0; i < g->count; i++) {
		o = &g->op[i];
		printf("%2u %s queue %u (%s%s) mem %u %u at %u %u count %u"
		    " value %x%s%s%s%s\n", i, names[o->type],
		    o->queue % w->queue_count, w->name[o->queue %
		    w->queue_count], w->in_order[o->queue % w->queue_count] ?
		    "" : ", free", o->mem % MEMS, o->mem2 % MEMS,
		    o->at % WORDS, o->at2 % WORDS, o->count % WORDS, o->value,
		    o->hold ? " hold" : "", o->join ? " join" : "",
		    o->explicit ? " explicit" : "",
		    o->blocking ? " blocking" : "");
	}
}

/* It depends on time whether it fails, so try a few times. */
static bool
still_fails(const struct world *w, const struct graph *g)
{
	char text[256];
	unsigned i;

	for (i = 0; i < 5; i++)
		if (!graph_run(w, g, text, sizeof(text)))
			return true;
	return false;
}

void
graph_shrink(const struct world *w, struct graph *g)
{
	struct graph less;
	unsigned n, i;

	for (n = g->count / 2; n > 0; n /= 2)
		for (i = 0; i + n <= g->count;) {
			less = *g;
			memmove(&less.op[i], &less.op[i + n],
			    (less.count - i - n) * sizeof(less.op[0]));
			less.count -= n;
			if (still_fails(w, &less))
				*g = less;
			else
				i += n;
		}
}
