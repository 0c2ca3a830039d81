/* SPDX-License-Identifier: ISC */
/*
 * place_policies - what each policy prefers, as a table.
 */
#include "hostd/place.h"

#include <string.h>

/* Where the job is done soonest. */
static struct place_cost
least_loaded(const struct place_device *d, const struct place_job *j)
{
	return (struct place_cost){ place_done_ns(d, j), d->users };
}

/* Where the last one was chosen longest ago. */
static struct place_cost
round_robin(const struct place_device *d, const struct place_job *j)
{
	(void)j;
	return (struct place_cost){ d->turn, 0 };
}

/* What is in use already, and least of it free: others stay free for more. */
static struct place_cost
pack(const struct place_device *d, const struct place_job *j)
{
	(void)j;
	return (struct place_cost){ d->users == 0, d->free };
}

/* As many users as the administrator's weights give it. */
static struct place_cost
weighted(const struct place_device *d, const struct place_job *j)
{
	(void)j;
	if (d->weight == 0)
		return (struct place_cost){ UINT64_MAX, d->users };
	return (struct place_cost){ ((uint64_t)d->users + 1) * 1000 /
		d->weight, d->users };
}

/* What it is told of devices decides, without it. */
static struct place_cost
none(const struct place_device *d, const struct place_job *j)
{
	(void)d;
	(void)j;
	return (struct place_cost){ 0, 0 };
}

#define KIND "its kind comes first"

const struct place_policy place_by_speed = {
	"order = speed", "", false, KIND, none
};

const struct place_policy place_by_pattern = {
	"order = fixed", "", false, "its pattern in devices comes first", none
};

const struct place_policy place_policies[] = {
	{ "least-loaded", "ns until done", true, KIND, least_loaded },
	{ "round-robin", "turn", false, KIND, round_robin },
	{ "pack", "unused", false, KIND, pack },
	{ "weighted", "users by weight, in thousandths", false, KIND,
	    weighted },
	{ .name = NULL },
};

const struct place_policy *
place_policy(const char *name)
{
	const struct place_policy *p;

	for (p = place_policies; p->name != NULL; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}
