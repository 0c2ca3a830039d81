/* SPDX-License-Identifier: ISC */
#include <stdlib.h>
#include <string.h>

#include "conformance/calls/calls.h"

#define FILL 0x5a

static bool
is_filled(const unsigned char *p, size_t n)
{
	while (n > 0)
		if (p[--n] != FILL)
			return false;
	return true;
}

static void
objects(struct world *w, const struct query *q)
{
	void *other = world_other(w, q->type);
	size_t n;

	if (!q->none_allowed)
		WANT(w, "query of no object",
		    q->ask(w, NULL, q->param, 0, NULL, &n), q->no_object);
	WANT(w, "query of an object of another kind",
	    q->ask(w, other, q->param, 0, NULL, &n), q->no_object);
}

static void
names(struct world *w, const struct query *q)
{
	unsigned char room[64];
	size_t n = 77;

	memset(room, FILL, sizeof(room));
	WANT(w, "query of no such name", q->ask(w, q->object, NO_SUCH_NAME,
	    sizeof(room), room, &n), CL_INVALID_VALUE);
	IS(w, "query of no such name writes nothing",
	    n == 77 && is_filled(room, sizeof(room)));
	WANT(w, "query of name 0", q->ask(w, q->object, 0, sizeof(room), room,
	    NULL), CL_INVALID_VALUE);
}

static void
rooms(struct world *w, const struct query *q, unsigned char *room)
{
	size_t n = 77;

	memset(room, FILL, q->size * 2);
	WANT(w, "query with too little room", q->ask(w, q->object, q->param,
	    q->size - 1, room, NULL), CL_INVALID_VALUE);
	IS(w, "query with too little room writes nothing",
	    is_filled(room, q->size * 2));
	WANT(w, "query with no room", q->ask(w, q->object, q->param, 0, room,
	    NULL), CL_INVALID_VALUE);
	WANT(w, "query of the size", q->ask(w, q->object, q->param, 0, NULL,
	    &n), CL_SUCCESS);
	IS(w, "query of the size is right", n == q->size);
	WANT(w, "query with a size for no room", q->ask(w, q->object,
	    q->param, 1, NULL, &n), CL_SUCCESS);
	WANT(w, "query of nothing", q->ask(w, q->object, q->param, 0, NULL,
	    NULL), CL_SUCCESS);
	n = 77;
	WANT(w, "query with more room", q->ask(w, q->object, q->param,
	    q->size * 2, room, &n), CL_SUCCESS);
	IS(w, "query with more room leaves the rest",
	    n == q->size && is_filled(room + q->size, q->size));
	WANT(w, "query with its room", q->ask(w, q->object, q->param, q->size,
	    room, NULL), CL_SUCCESS);
}

void
query_cases(struct world *w, const struct query *q)
{
	unsigned char *room = malloc(q->size * 2 + 1);

	must(room == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS, "malloc");
	objects(w, q);
	names(w, q);
	rooms(w, q, room);
	free(room);
}
