/* SPDX-License-Identifier: ISC */
#include "hostd/replica.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool
replica_init(struct replica *r, size_t size, uint8_t valid)
{
	*r = (struct replica){ .size = size };
	if (!replica_reserve(r, 1))
		return false;
	r->piece[0] = (struct piece){ size, valid };
	r->count = 1;
	return true;
}

void
replica_fini(struct replica *r)
{
	free(r->piece);
	r->piece = NULL;
}

/* A range that changes is cut out, which makes two more pieces at most. */
bool
replica_reserve(struct replica *r, unsigned ranges)
{
	unsigned need = r->count + 2 * ranges + 1;
	struct piece *p;

	if (need <= r->room)
		return true;
	need += need / 2;
	if ((p = realloc(r->piece, need * sizeof(*p))) == NULL)
		return false;
	r->piece = p;
	r->room = need;
	return true;
}

/* The piece that a byte is in. */
static unsigned
find(const struct replica *r, size_t at)
{
	unsigned low = 0, high = r->count - 1, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (r->piece[middle].end > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

size_t
replica_missing(const struct replica *r, unsigned member, size_t *at,
    size_t end, uint8_t *valid)
{
	const uint8_t bit = (uint8_t)(1u << member);
	size_t start;
	unsigned i;

	for (i = find(r, *at); *at < end; *at = r->piece[i++].end)
		if (!(r->piece[i].valid & bit))
			break;
	if (*at >= end)
		return 0;
	*valid = r->piece[i].valid;
	start = *at;
	return (r->piece[i].end < end ? r->piece[i].end : end) - start;
}

/* Have a piece begin at a byte. */
static void
cut(struct replica *r, size_t at)
{
	unsigned i;
	size_t begin;

	if (at == 0 || at >= r->size)
		return;
	i = find(r, at);
	begin = i > 0 ? r->piece[i - 1].end : 0;
	if (begin == at)
		return;
	assert(r->count < r->room);
	memmove(&r->piece[i + 1], &r->piece[i],
	    (r->count - i) * sizeof(*r->piece));
	r->piece[i].end = at;
	r->count++;
}

/* Neighbours that are alike become one, from piece i to that which has end. */
static void
merge(struct replica *r, unsigned i, size_t end)
{
	unsigned to = i, from;

	for (from = i + 1; from < r->count; from++) {
		if (r->piece[from].valid == r->piece[to].valid)
			r->piece[to].end = r->piece[from].end;
		else if (r->piece[to].end > end)
			break;
		else
			r->piece[++to] = r->piece[from];
	}
	memmove(&r->piece[to + 1], &r->piece[from],
	    (r->count - from) * sizeof(*r->piece));
	r->count -= from - to - 1;
}

/* Set valid to (valid & keep) | add where the bits of only are valid. */
static void
change(struct replica *r, size_t at, size_t size, uint8_t only, uint8_t keep,
    uint8_t add)
{
	const size_t end = at + size;
	unsigned first, i;

	if (size == 0)
		return;
	cut(r, at);
	cut(r, end);
	first = i = find(r, at);
	for (; i < r->count && r->piece[i].end <= end; i++)
		if (r->piece[i].valid & only)
			r->piece[i].valid =
			    (uint8_t)((r->piece[i].valid & keep) | add);
	merge(r, first > 0 ? first - 1 : 0, end);
}

void
replica_written(struct replica *r, unsigned member, size_t at, size_t size)
{
	change(r, at, size, REPLICA_ANYWHERE, 0, (uint8_t)(1u << member));
}

void
replica_copied(struct replica *r, unsigned from, unsigned to, size_t at,
    size_t size)
{
	change(r, at, size, (uint8_t)(1u << from), REPLICA_ANYWHERE,
	    (uint8_t)(1u << to));
}
