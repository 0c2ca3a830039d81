/* SPDX-License-Identifier: ISC */
/*
 * conf_table - every keyword of vgpu-hostd.conf, with its limits and default.
 *
 * The parser, the checks, the messages and the test that compares keywords
 * with the manual all read this one table.
 */
#ifndef VGPU_HOSTD_CONF_TABLE_H
#define VGPU_HOSTD_CONF_TABLE_H

#include <stddef.h>

enum conf_kind {
	CONF_TEXT,
	CONF_LIST,	/* texts: {"a", "b"}, or one alone */
	CONF_NUMBER,
	CONF_FLAG,	/* yes or no */
	CONF_CHOICE,	/* one of a few words */
	CONF_SECTION,	/* name { ... } */
	CONF_TITLED,	/* name "title" { ... }, any number of them */
};

struct conf_key {
	const char *section;	/* keyword of the section, NULL: outside */
	const char *name;
	enum conf_kind kind;
	const char *value;	/* the default; NULL: none */
	long min, max;		/* CONF_NUMBER */
	const char *choices;	/* CONF_CHOICE: "a|b|c" */
	const char *what;	/* what it says, for messages */
};

/* The table, ended by an entry without name. */
extern const struct conf_key conf_keys[];

/* The keyword of a section (NULL: outside of them), or NULL. */
const struct conf_key *conf_key_find(const char *section, const char *name);

/*
 * The keyword of that section that looks most like a name; NULL when none
 * does.
 */
const struct conf_key *conf_key_nearest(const char *section,
    const char *name);

/* The place of a word in "a|b|c", or -1. */
int conf_choice(const char *choices, const char *word);

#endif
