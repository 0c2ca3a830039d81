/* SPDX-License-Identifier: ISC */
#include "hostd/account.h"

#include <limits.h>

void
account_init(struct account *a)
{
	a->first = NULL;
	a->end = &a->first;
}

void
account_add(struct account *a, struct vevent *e)
{
	e->next = NULL;
	*a->end = e;
	a->end = &e->next;
}

static struct vevent *
merge(struct vevent *a, struct vevent *b)
{
	struct vevent *first, **end = &first;

	while (a != NULL && b != NULL) {
		struct vevent **from = a->serial < b->serial ? &a : &b;

		*end = *from;
		end = &(*from)->next;
		*from = *end;
	}
	*end = a != NULL ? a : b;
	return first;
}

/* Lists of 1, 2, 4, ... events are merged as they come. */
struct vevent *
account_sorted(struct account *a)
{
	struct vevent *sorted[CHAR_BIT * sizeof(size_t)] = { NULL };
	struct vevent *list = a->first, *e;
	size_t i;

	while ((e = list) != NULL) {
		list = e->next;
		e->next = NULL;
		for (i = 0; sorted[i] != NULL; i++) {
			e = merge(sorted[i], e);
			sorted[i] = NULL;
		}
		sorted[i] = e;
	}
	for (i = 0; i < sizeof(sorted) / sizeof(sorted[0]); i++)
		list = merge(sorted[i], list);
	return list;
}
