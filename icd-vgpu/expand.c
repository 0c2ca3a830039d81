/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/expand.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/token.h"

#define DEPTH_MAX 64	/* of macro calls in arguments of macro calls */
#define PARAMETERS_MAX 64

/* A macro's definition, split. */
struct macro {
	bool takes_arguments;
	bool variadic;		/* its last parameter takes the rest */
	size_t n;
	struct token *parameter[PARAMETERS_MAX];
	struct token *body;
};

struct call {
	const struct macro *macro;
	struct token *argument[PARAMETERS_MAX];
};

/* Read the parameters after '('; the token after ')', or NULL. */
static struct token *
read_parameters(struct macro *m, struct token *t)
{
	for (; t != NULL && !token_is_punct(t, ')'); t = t->next) {
		if (token_is_punct(t, '.')) {
			m->variadic = true;
		} else if (t->kind == TOKEN_NAME) {
			if (m->n == PARAMETERS_MAX)
				return NULL;
			m->parameter[m->n++] = t;
		} else if (!token_is_punct(t, ',')) {
			return NULL;
		}
	}
	return t;
}

/* "...", unless it follows a name, is a parameter called __VA_ARGS__. */
static void
name_rest(struct expansion *x, struct macro *m, const struct token *open)
{
	static const char name[] = "__VA_ARGS__";
	const struct token t = { .kind = TOKEN_NAME, .s = name, .n = 11 };
	const struct token *before = open;
	struct token_list l;

	while (before->next != NULL && !token_is_punct(before->next, '.'))
		before = before->next;
	if (before->kind == TOKEN_NAME || m->n == PARAMETERS_MAX)
		return;
	token_list_init(&l);
	if ((m->parameter[m->n] = token_list_add(x, &l, &t)) != NULL)
		m->n++;
}

/* Split a definition; false if it is none. */
static bool
read_macro(struct expansion *x, const char *text, struct macro *m)
{
	struct token *t = token_lex(x, text);

	memset(m, 0, sizeof(*m));
	m->takes_arguments = text[0] == '(';
	m->body = t;
	if (!m->takes_arguments || t == NULL)
		return true;
	m->body = read_parameters(m, t->next);
	if (m->body == NULL)
		return false;
	m->body = m->body->next;
	if (m->variadic)
		name_rest(x, m, t);
	return !token_failed(x);
}

/*
 * Split the arguments after '(' ; the closing ')', or NULL where the line ends
 * before it or their number is wrong.
 */
static struct token *
read_arguments(struct expansion *x, struct call *c, struct token *t)
{
	const struct macro *m = c->macro;
	size_t i = 0, depth = 0;
	struct token_list l;

	token_list_init(&l);
	for (; t != NULL && (depth > 0 || !token_is_punct(t, ')'));
	    t = t->next) {
		if (token_is_punct(t, '('))
			depth++;
		else if (token_is_punct(t, ')'))
			depth--;
		if (depth > 0 || !token_is_punct(t, ',') ||
		    (m->variadic && i + 1 == m->n)) {
			token_list_add(x, &l, t);
			continue;
		}
		if (i + 1 >= m->n)
			return NULL;
		c->argument[i++] = l.first;
		token_list_init(&l);
	}
	if (i < m->n)
		c->argument[i++] = l.first;
	else if (l.first != NULL)
		return NULL;
	return i == m->n || (m->variadic && i + 1 == m->n) ? t : NULL;
}

/* The argument for a token of the body that is a parameter's name. */
static struct token **
find_argument(struct call *c, const struct token *t)
{
	size_t i;

	if (t == NULL || t->kind != TOKEN_NAME)
		return NULL;
	for (i = 0; i < c->macro->n; i++)
		if (token_same_text(c->macro->parameter[i], t))
			return &c->argument[i];
	return NULL;
}

/* The # operator. */
static void
add_stringified(struct expansion *x, struct token_list *out,
    const struct token *arg, bool blank)
{
	struct token t = { .kind = TOKEN_STRING, .blank = blank };
	const struct token *a;
	size_t n = 3;
	char *s, *to;

	for (a = arg; a != NULL; a = a->next)
		n += 2 * a->n + 1;
	if ((to = s = token_memory(x, n)) == NULL)
		return;
	*to++ = '"';
	for (a = arg; a != NULL; a = a->next) {
		if (a != arg && a->blank)
			*to++ = ' ';
		to = token_spell(to, a, true);
	}
	*to++ = '"';
	t.s = s;
	t.n = (size_t)(to - s);
	token_list_add(x, out, &t);
}

/* The ## operator: the last token of out and t become one. */
static void
add_pasted(struct expansion *x, struct token_list *out, const struct token *t)
{
	struct token *last = out->first, pasted = { 0 };
	char *s;

	while (last != NULL && last->next != NULL)
		last = last->next;
	if (last == NULL) {
		token_list_add(x, out, t);
		return;
	}
	if ((s = token_memory(x, last->n + t->n + 1)) == NULL)
		return;
	token_spell(token_spell(s, last, false), t, false);
	token_measure(s, &pasted);
	last->kind = pasted.kind;
	last->s = s;
	last->n = strlen(s);
	last->hide = hide_both(x, last->hide, t->hide);
}

static struct token *expand(struct expansion *, struct token *);

/* Append an argument, expanded unless it is an operand of ##. */
static void
add_argument(struct expansion *x, struct token_list *out,
    const struct token *name, struct token *arg, bool is_operand)
{
	struct token_list copy, got;

	token_list_init(&copy);
	token_list_add_all(x, &copy, arg);
	token_list_init(&got);
	token_list_add_all(x, &got,
	    is_operand ? copy.first : expand(x, copy.first));
	if (got.first == NULL)
		return;
	got.first->blank = name->blank;
	*out->end = got.first;
	out->end = got.end;
}

/*
 * After "##": paste the token t, or the argument that it names.  pasting says
 * whether there is something before it to paste with.
 */
static void
paste_next(struct expansion *x, struct token_list *out, struct call *c,
    const struct token *t, bool pasting)
{
	struct token **arg = find_argument(c, t);
	const struct token *first = arg != NULL ? *arg : t;

	if (first == NULL)
		return;
	if (pasting)
		add_pasted(x, out, first);
	else
		token_list_add(x, out, first);
	if (arg != NULL)
		token_list_add_all(x, out, first->next);
}

/* The body of a macro with its arguments in place. */
static struct token *
substitute(struct expansion *x, struct call *c, const struct hide *hide)
{
	struct token *t, **arg;
	struct token_list out;
	bool present = true; /* the operand before ## was not empty */

	token_list_init(&out);
	for (t = c->macro->body; t != NULL; t = t->next) {
		arg = find_argument(c, t);
		if (token_is_punct(t, '#') &&
		    find_argument(c, t->next) != NULL) {
			arg = find_argument(c, t->next);
			add_stringified(x, &out, *arg, t->blank);
			t = t->next;
		} else if (token_is_paste(t) && t->next != NULL) {
			paste_next(x, &out, c, t->next, present);
			t = t->next;
			present = true;
		} else if (arg != NULL) {
			add_argument(x, &out, t, *arg, token_is_paste(t->next));
			present = *arg != NULL;
		} else {
			token_list_add(x, &out, t);
			present = true;
		}
	}
	for (t = out.first; t != NULL; t = t->next) {
		const struct hide *h;

		for (h = hide; h != NULL; h = h->next)
			t->hide = hide_add(x, t->hide, h->name, h->n);
	}
	return out.first;
}

/* Replace the macro that the list begins with; false if it stays. */
static bool
replace(struct expansion *x, struct token **list)
{
	struct token *t = *list, *close = t, *got, **end;
	const struct hide *hide = t->hide;
	struct macro m;
	struct call c = { .macro = &m };
	const char *text;

	if (t->kind != TOKEN_NAME || hide_has(t->hide, t) ||
	    (text = x->lookup(x->arg, t->s, t->n)) == NULL ||
	    !read_macro(x, text, &m))
		return false;
	if (m.takes_arguments) {
		if (!token_is_punct(t->next, '(') || (close =
		    read_arguments(x, &c, t->next->next)) == NULL)
			return false;
		hide = hide_both(x, hide, close->hide);
	}
	got = substitute(x, &c, hide_add(x, hide, t->s, t->n));
	if (got != NULL)
		got->blank = t->blank;
	for (end = &got; *end != NULL;)
		end = &(*end)->next;
	*end = close->next;
	*list = got;
	return true;
}

/* Expand all of a list, which is used up. */
static struct token *
expand(struct expansion *x, struct token *list)
{
	struct token_list out;
	struct token *next;

	token_list_init(&out);
	if (x->depth == DEPTH_MAX) {
		x->excess = true;
		return NULL;
	}
	x->depth++;
	while (list != NULL && !token_failed(x)) {
		if (replace(x, &list))
			continue;
		next = list->next;
		token_list_add(x, &out, list);
		list = next;
	}
	x->depth--;
	return out.first;
}

/* Spell "name" or <name>, if the list begins with one. */
static char *
header_name(const struct token *list)
{
	const struct token *t;
	size_t n = 1;
	char *s, *to;

	if (list != NULL && list->kind == TOKEN_STRING && list->s[0] == '"')
		return strndup(list->s, list->n);
	for (t = list; t != NULL && !token_is_punct(t, '>'); t = t->next)
		n += t->n + 1;
	if (t == NULL || !token_is_punct(list, '<') ||
	    (to = s = malloc(n + 1)) == NULL)
		return NULL;
	for (t = list; !token_is_punct(t, '>'); t = t->next) {
		if (t != list && t->blank)
			*to++ = ' ';
		to = token_spell(to, t, false);
	}
	if (t->blank)
		*to++ = ' ';
	*to++ = '>';
	*to = '\0';
	return s;
}

enum vgpu_err
expand_include(const char *operand, expand_lookup *lookup, void *arg,
    char **out)
{
	struct expansion x = { .lookup = lookup, .arg = arg };
	struct token *got = expand(&x, token_lex(&x, operand));

	*out = token_failed(&x) ? NULL : header_name(got);
	token_free_all(&x);
	return x.no_memory ? VGPU_ENOMEM : VGPU_OK;
}
