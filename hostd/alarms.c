/* SPDX-License-Identifier: ISC */
#include "hostd/alarms.h"

#include <stdio.h>
#include <string.h>

/* Of two, which may rather be forgotten? */
static bool
matters_less(const struct alarm *a, const struct alarm *b)
{
	return a->deaf_until < b->deaf_until;
}

/* Room for one more; NULL: all are waiting for a look. */
static struct alarm *
make_room(struct alarms *s)
{
	struct alarm *least = NULL;
	unsigned i;

	if (s->count < ALARMS_TENANTS_MAX)
		return &s->alarm[s->count++];
	for (i = 0; i < s->count; i++)
		if (!s->alarm[i].raised && !s->alarm[i].looked &&
		    (least == NULL || matters_less(&s->alarm[i], least)))
			least = &s->alarm[i];
	return least;
}

static struct alarm *
find(struct alarms *s, const char *tenant)
{
	struct alarm *a;
	unsigned i;

	for (i = 0; i < s->count; i++)
		if (strcmp(s->alarm[i].tenant, tenant) == 0)
			return &s->alarm[i];
	if ((a = make_room(s)) == NULL)
		return NULL;
	memset(a, 0, sizeof(*a));
	snprintf(a->tenant, sizeof(a->tenant), "%s", tenant);
	return a;
}

bool
alarms_raise(struct alarms *s, const char *tenant, int64_t now)
{
	struct alarm *a = find(s, tenant);

	if (a == NULL || a->raised || a->looked || now < a->deaf_until)
		return false;
	a->raised = true;
	return true;
}

bool
alarms_want(const struct alarms *s, int64_t *at)
{
	unsigned i;

	*at = s->next;
	for (i = 0; i < s->count; i++)
		if (s->alarm[i].raised)
			return true;
	return false;
}

void
alarms_begin(struct alarms *s, int64_t now)
{
	unsigned i;

	s->next = now + ALARMS_PAUSE_MS;
	for (i = 0; i < s->count; i++) {
		s->alarm[i].looked |= s->alarm[i].raised;
		s->alarm[i].raised = false;
	}
}

static void
was_false(struct alarm *a, int64_t now)
{
	a->deaf_until = now + ((int64_t)ALARMS_DEAF_MS << a->false_ones);
	if (a->false_ones < ALARMS_DOUBLINGS)
		a->false_ones++;
}

void
alarms_end(struct alarms *s, bool changed, int64_t now)
{
	unsigned i;

	for (i = 0; i < s->count; i++) {
		if (!s->alarm[i].looked)
			continue;
		s->alarm[i].looked = false;
		if (changed)
			s->alarm[i].false_ones = 0;
		else
			was_false(&s->alarm[i], now);
	}
}
