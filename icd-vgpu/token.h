/* SPDX-License-Identifier: ISC */
/*
 * token - preprocessing tokens in lists, for expand.
 *
 * All memory of one expansion comes from one struct expansion and is freed at
 * once, so lists may share tokens.  A definition can blow up without end; the
 * memory has a limit, after which allocations fail and the expansion has no
 * result.
 */
#ifndef VGPU_ICD_TOKEN_H
#define VGPU_ICD_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

#include "icd-vgpu/expand.h"

/* A line that names a file needs a few per cent of it. */
#define TOKEN_MEMORY_MAX ((size_t)256 << 10)

/* Names that a token may not be replaced by any more; ISO C 6.10.3.4. */
struct hide {
	const char *name;
	size_t n;
	const struct hide *next;
};

enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT };

struct token {
	enum token_kind kind;
	bool blank;	/* blanks stand before it */
	const char *s;	/* the spelling, not NUL-terminated */
	size_t n;
	const struct hide *hide;
	struct token *next;
};

/* A list that grows at its end. */
struct token_list {
	struct token *first;
	struct token **end;
};

struct token_block;

struct expansion {
	expand_lookup *lookup;
	void *arg;
	struct token_block *blocks; /* all memory, until token_free_all */
	size_t used;
	unsigned depth;
	bool excess;		/* a limit was met: there is no result */
	bool no_memory;
};

/* Whether a limit was met or memory ran out. */
static inline bool
token_failed(const struct expansion *x)
{
	return x->excess || x->no_memory;
}

/* Zeroed memory until token_free_all; NULL sets excess or no_memory. */
void *token_memory(struct expansion *, size_t n);
void token_free_all(struct expansion *);

void token_list_init(struct token_list *);

/* Append copies; the copy of one token is returned, or NULL. */
struct token *token_list_add(struct expansion *, struct token_list *,
    const struct token *);
void token_list_add_all(struct expansion *, struct token_list *,
    const struct token *first);

/* Measure the token at s, which is not a blank. */
void token_measure(const char *s, struct token *);

/* The tokens of a text, which outlives them. */
struct token *token_lex(struct expansion *, const char *);

/* Append a token's spelling at to; strings get backslashes if escape is set. */
char *token_spell(char *to, const struct token *, bool escape);

bool token_is_punct(const struct token *, char); /* NULL is none */
bool token_is_paste(const struct token *);	 /* "##" */
bool token_same_text(const struct token *, const struct token *);

bool hide_has(const struct hide *, const struct token *);
const struct hide *hide_add(struct expansion *, const struct hide *,
    const char *name, size_t n);
const struct hide *hide_both(struct expansion *, const struct hide *,
    const struct hide *); /* what is in both sets */

#endif
