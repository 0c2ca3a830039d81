/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/macro.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/vec.h"
#include "icd-vgpu/expand.h"

#define NAMES_MAX 32	/* whose definitions differ, on one line */
#define CHOICES_MAX 16	/* definitions of one name */

struct definition {
	char *text;		/* name, then what follows it */
	size_t name_len;
	size_t where;		/* the text's number */
	size_t offset;
	size_t order;		/* in which it was entered */
};

struct macro_table {
	struct definition *d;
	size_t n;
	bool sorted;		/* by name, then order */
};

/* A name that the line at hand uses, and what it stands for in this try. */
struct choice {
	const char *name;	/* the first definition's */
	size_t name_len;
	const struct definition *candidate[CHOICES_MAX]; /* likeliest first */
	size_t n;		/* candidates */
	size_t ways;		/* n, and one for "not defined" if possible */
	size_t at;
};

struct tries {
	struct macro_table *t;
	size_t text, offset;
	struct choice choice[NAMES_MAX];
	size_t n;
};

struct macro_table *
macro_table_new(void)
{
	return calloc(1, sizeof(struct macro_table));
}

void
macro_table_free(struct macro_table *t)
{
	size_t i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n; i++)
		free(t->d[i].text);
	free(t->d);
	free(t);
}

static size_t
name_len(const char *s)
{
	size_t n = 0;

	while ((s[n] >= 'a' && s[n] <= 'z') || (s[n] >= 'A' && s[n] <= 'Z') ||
	    s[n] == '_' || s[n] == '$' || (unsigned char)s[n] >= 0x80 ||
	    (n > 0 && s[n] >= '0' && s[n] <= '9'))
		n++;
	return n;
}

enum vgpu_err
macro_add(struct macro_table *t, const char *operand, size_t text,
    size_t offset)
{
	struct definition d = { .name_len = name_len(operand), .where = text,
		.offset = offset, .order = t->n };
	struct definition *v;

	if (d.name_len == 0)
		return VGPU_OK;
	if ((v = vec_more(t->d, t->n, sizeof(*v))) == NULL)
		return VGPU_ENOMEM;
	t->d = v;
	if ((d.text = strdup(operand)) == NULL)
		return VGPU_ENOMEM;
	v[t->n++] = d;
	t->sorted = false;
	return VGPU_OK;
}

enum vgpu_err
macro_add_option(struct macro_table *t, const struct option_macro *m)
{
	size_t name = strlen(m->name), value;
	enum vgpu_err e;
	char *s;

	if (m->value == NULL)
		return VGPU_OK;
	value = strlen(m->value);
	if ((s = malloc(name + value + 2)) == NULL)
		return VGPU_ENOMEM;
	memcpy(s, m->name, name);
	s[name] = ' ';
	memcpy(s + name + 1, m->value, value + 1);
	e = macro_add(t, s, MACRO_OPTIONS, 0);
	free(s);
	return e;
}

static int
compare_names(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int c = memcmp(a, b, a_len < b_len ? a_len : b_len);

	return c != 0 ? c : (a_len > b_len) - (a_len < b_len);
}

static int
compare_definitions(const void *p, const void *q)
{
	const struct definition *a = p, *b = q;
	int c = compare_names(a->text, a->name_len, b->text, b->name_len);

	return c != 0 ? c : (a->order > b->order) - (a->order < b->order);
}

/* The first definition of a name, or the table's end. */
static size_t
find_first(struct macro_table *t, const char *name, size_t n)
{
	size_t low = 0, high = t->n, middle;

	if (!t->sorted && t->n > 0)
		qsort(t->d, t->n, sizeof(*t->d), compare_definitions);
	t->sorted = true;
	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_names(t->d[middle].text, t->d[middle].name_len,
			name, n) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How likely a definition is to hold at the line: less is likelier. */
static unsigned
rank(const struct tries *tries, const struct definition *d)
{
	if (d->where == MACRO_OPTIONS)
		return 0;
	return d->where == tries->text && d->offset < tries->offset ? 1 : 2;
}

static void
add_candidate(struct choice *c, const struct definition *d)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (strcmp(c->candidate[i]->text, d->text) == 0)
			return;
	if (c->n < CHOICES_MAX)
		c->candidate[c->n++] = d;
}

/* Collect the candidates for a name that has definitions first to end - 1. */
static void
collect(struct tries *tries, struct choice *c, size_t first, size_t end)
{
	const struct definition *d = tries->t->d;
	unsigned r;
	size_t i;

	for (r = 0; r < 3; r++)
		for (i = end; i > first; i--)
			if (rank(tries, &d[i - 1]) == r)
				add_candidate(c, &d[i - 1]);
	c->ways = c->n;
	if (rank(tries, c->candidate[0]) != 0)
		c->ways++;
}

/* The choice for a name; NULL if it has no definition, or there are too many.*/
static struct choice *
find_choice(struct tries *tries, const char *name, size_t n)
{
	struct macro_table *t = tries->t;
	struct choice *c;
	size_t first, end;

	for (c = tries->choice; c < tries->choice + tries->n; c++)
		if (compare_names(c->name, c->name_len, name, n) == 0)
			return c;
	first = end = find_first(t, name, n);
	while (end < t->n && compare_names(t->d[end].text, t->d[end].name_len,
	    name, n) == 0)
		end++;
	if (first == end || tries->n == NAMES_MAX)
		return NULL;
	memset(c, 0, sizeof(*c));
	c->name = t->d[first].text;
	c->name_len = n;
	collect(tries, c, first, end);
	tries->n++;
	return c;
}

static const char *
lookup(void *arg, const char *name, size_t n)
{
	const struct choice *c = find_choice(arg, name, n);

	return c == NULL || c->at == c->n ? NULL :
	    c->candidate[c->at]->text + n;
}

/* Go on to the next way; false when there is none. */
static bool
next_way(struct tries *tries)
{
	while (tries->n > 0) {
		if (++tries->choice[tries->n - 1].at <
		    tries->choice[tries->n - 1].ways)
			return true;
		tries->n--;
	}
	return false;
}

enum vgpu_err
macro_try_all(struct macro_table *t, const char *operand, size_t text,
    size_t offset, macro_take *take, void *arg)
{
	struct tries *tries = calloc(1, sizeof(*tries));
	unsigned left = MACRO_TRIES_MAX;
	char *spelling;
	enum vgpu_err e;

	if (tries == NULL)
		return VGPU_ENOMEM;
	tries->t = t;
	tries->text = text;
	tries->offset = offset;
	do {
		e = expand_include(operand, lookup, tries, &spelling);
		if (e == VGPU_OK && spelling != NULL)
			e = take(arg, spelling);
		free(spelling);
	} while (e == VGPU_OK && --left > 0 && next_way(tries));
	free(tries);
	return e;
}
