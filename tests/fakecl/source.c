/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/program.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct reader {
	const char *at;
	char token[NAME_MAX_];
};

/* The next word or sign; false at the end. */
static bool
next(struct reader *r)
{
	size_t n = 0;

	while (isspace((unsigned char)*r->at))
		r->at++;
	if (*r->at == '\0')
		return false;
	do {
		if (n + 1 < sizeof(r->token))
			r->token[n++] = *r->at;
		r->at++;
	} while ((isalnum((unsigned char)r->token[0]) || r->token[0] == '_') &&
	    (isalnum((unsigned char)*r->at) || *r->at == '_'));
	r->token[n] = '\0';
	return true;
}

/* A word, with or without the two underscores that may lead it. */
static bool
is(const struct reader *r, const char *word)
{
	return strcmp(r->token, word) == 0 ||
	    (strncmp(r->token, "__", 2) == 0 &&
	    strcmp(r->token + 2, word) == 0);
}

static bool
read_address(const struct reader *r, struct param *p)
{
	if (is(r, "global"))
		p->address = CL_KERNEL_ARG_ADDRESS_GLOBAL;
	else if (is(r, "constant"))
		p->address = CL_KERNEL_ARG_ADDRESS_CONSTANT;
	else if (is(r, "local"))
		p->address = CL_KERNEL_ARG_ADDRESS_LOCAL;
	else if (is(r, "const"))
		p->qualifier |= CL_KERNEL_ARG_TYPE_CONST;
	else
		return false;
	return true;
}

static void
append(char *type, const char *word)
{
	size_t n = strlen(type);
	const char *gap = n > 0 && word[0] != '*' ? " " : "";

	if (n + strlen(word) + 2 < NAME_MAX_) {
		strcat(type, gap);
		strcat(type, word);
	}
}

/* The words of one parameter: the last one is its name, others its type. */
static void
read_param(struct reader *r, struct param *p)
{
	memset(p, 0, sizeof(*p));
	p->address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
	do {
		if (is(r, ",") || is(r, ")"))
			break;
		if (read_address(r, p))
			continue;
		append(p->type, p->name);
		strcpy(p->name, r->token);
	} while (next(r));
}

static void
read_params(struct reader *r, struct declaration *d)
{
	while (next(r) && !is(r, ")")) {
		if (is(r, ",") || d->count == PARAMS_MAX)
			continue;
		read_param(r, &d->param[d->count]);
		if (strcmp(d->param[d->count].name, "void") != 0)
			d->count++;
		if (is(r, ")"))
			return;
	}
}

/* Behind "kernel": "void NAME ( PARAMETERS )". */
static void
read_kernel(struct reader *r, cl_program p)
{
	struct declaration *d = &p->kernel[p->count];

	if (p->count == KERNELS_MAX || !next(r) || !is(r, "void") || !next(r))
		return;
	memset(d, 0, sizeof(*d));
	strcpy(d->name, r->token);
	if (!next(r) || !is(r, "("))
		return;
	read_params(r, d);
	p->count++;
}

bool
source_read(cl_program p)
{
	struct reader r = { .at = p->source };
	const char *error = strstr(p->source, "#error");

	p->count = 0;
	p->log[0] = '\0';
	if (error != NULL) {
		snprintf(p->log, sizeof(p->log), "fakecl: %.*s\n",
		    (int)strcspn(error, "\n"), error);
		return false;
	}
	while (next(&r))
		if (is(&r, "kernel"))
			read_kernel(&r, p);
	return true;
}
