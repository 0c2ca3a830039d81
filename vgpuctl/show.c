/* SPDX-License-Identifier: ISC */
#include "vgpuctl/show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CELL_MAX 96
#define COLUMNS_MAX 10

static const char *
text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s != NULL ? s : "";
}

static json_int_t
number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

/* ---- cells ------------------------------------------------------------------ */

/* What a cell shows of a row. */
typedef void cell_function(const json_t *row, const char *key, char *out);

static void
cell_text(const json_t *row, const char *key, char *out)
{
	snprintf(out, CELL_MAX, "%s", text(row, key));
}

static void
cell_number(const json_t *row, const char *key, char *out)
{
	snprintf(out, CELL_MAX, "%" JSON_INTEGER_FORMAT, number(row, key));
}

static void
cell_mib(const json_t *row, const char *key, char *out)
{
	snprintf(out, CELL_MAX, "%" JSON_INTEGER_FORMAT,
	    number(row, key) >> 20);
}

static void
cell_yes(const json_t *row, const char *key, char *out)
{
	strcpy(out, json_is_true(json_object_get(row, key)) ? "yes" : "-");
}

/* Numbers of a list, with commas; "-" where there are none. */
static void
cell_list(const json_t *row, const char *key, char *out)
{
	const json_t *list = json_object_get(row, key);
	size_t i, n = 0;

	strcpy(out, "-");
	for (i = 0; i < json_array_size(list) && n < CELL_MAX - 24; i++)
		n += (size_t)snprintf(out + n, CELL_MAX - n,
		    "%s%" JSON_INTEGER_FORMAT, i > 0 ? "," : "",
		    json_integer_value(json_array_get(list, i)));
}

/* A session's devices: number, and its contexts there where there are more. */
static void
cell_used(const json_t *row, const char *key, char *out)
{
	const json_t *list = json_object_get(row, key), *d;
	size_t i, n = 0;

	strcpy(out, "-");
	for (i = 0; i < json_array_size(list) && n < CELL_MAX - 32; i++) {
		d = json_array_get(list, i);
		n += (size_t)snprintf(out + n, CELL_MAX - n,
		    "%s%" JSON_INTEGER_FORMAT, i > 0 ? "," : "",
		    number(d, "device"));
		if (number(d, "contexts") > 1)
			n += (size_t)snprintf(out + n, CELL_MAX - n,
			    "x%" JSON_INTEGER_FORMAT, number(d, "contexts"));
	}
}

/* ---- tables ----------------------------------------------------------------- */

struct column {
	const char *head;	/* NULL: the table ends */
	const char *key;
	cell_function *cell;
};

/* Columns are as wide as what is in them. */
static void
table(const struct column *column, const json_t *rows)
{
	int width[COLUMNS_MAX] = { 0 };
	char cell[CELL_MAX];
	size_t i, r;
	int pass, n;

	for (pass = 0; pass < 2; pass++)
		for (r = 0; r <= json_array_size(rows); r++)
			for (i = 0; column[i].head != NULL; i++) {
				if (r == 0)
					strcpy(cell, column[i].head);
				else
					column[i].cell(json_array_get(rows,
					    r - 1), column[i].key, cell);
				n = (int)strlen(cell);
				if (n > width[i])
					width[i] = n;
				if (pass == 1)
					printf("%-*s%s", column[i + 1].head ==
					    NULL ? 0 : width[i] + 2, cell,
					    column[i + 1].head == NULL ?
					    "\n" : "");
			}
}

void
show_devices(const json_t *j)
{
	static const struct column columns[] = {
		{ "DEVICE", "device", cell_number },
		{ "VENDOR", "vendor", cell_text },
		{ "TYPE", "type", cell_text },
		{ "UNITS", "units", cell_number },
		{ "MHZ", "mhz", cell_number },
		{ "MIB", "memory", cell_mib },
		{ "CARD", "card", cell_number },
		{ "DRAINED", "drained", cell_yes },
		{ "SESSIONS", "sessions", cell_list },
		{ "NAME", "name", cell_text },
		{ .head = NULL },
	};
	const json_t *list = json_object_get(j, "vendors"), *v, *pair;
	size_t i;

	table(columns, json_object_get(j, "devices"));
	for (i = 0; i < json_array_size(list); i++) {
		v = json_array_get(list, i);
		if (!json_is_true(json_object_get(v, "usable")))
			printf("vendor %s (%s) not used: %s\n",
			    text(v, "vendor"), text(v, "file"),
			    text(v, "reason"));
	}
	list = json_object_get(j, "apart");
	for (i = 0; i < json_array_size(list); i++) {
		v = json_array_get(list, i);
		pair = json_object_get(v, "vendors");
		printf("vendors %s and %s can't share a process: %s\n",
		    json_string_value(json_array_get(pair, 0)),
		    json_string_value(json_array_get(pair, 1)),
		    text(v, "reason"));
	}
}

void
show_sessions(const json_t *j)
{
	static const struct column columns[] = {
		{ "SESSION", "session", cell_number },
		{ "TENANT", "tenant", cell_text },
		{ "PROCESS", "process", cell_number },
		{ "SECONDS", "seconds", cell_number },
		{ "DEVICES", "devices", cell_used },
		{ .head = NULL },
	};

	table(columns, json_object_get(j, "sessions"));
}

void
show_status(const json_t *j)
{
	const char *key;
	const json_t *v;
	void *at = json_object_iter((json_t *)(uintptr_t)j);

	for (; at != NULL; at = json_object_iter_next((json_t *)(uintptr_t)j,
	    at)) {
		key = json_object_iter_key(at);
		v = json_object_iter_value(at);
		if (json_is_string(v))
			printf("%-17s%s\n", key, json_string_value(v));
		else
			printf("%-17s%" JSON_INTEGER_FORMAT "\n", key,
			    json_integer_value(v));
	}
}

void
show_explain(const json_t *j)
{
	const json_t *list = json_object_get(j, "devices"), *d;
	char others[CELL_MAX], used[CELL_MAX];
	size_t i;

	cell_used(j, "devices", used);
	printf("session %" JSON_INTEGER_FORMAT " of tenant %s, placement %s, "
	    "devices %s\n", number(j, "session"), text(j, "tenant"),
	    text(j, "placement"), used);
	for (i = 0; i < json_array_size(list); i++) {
		d = json_array_get(list, i);
		printf("device %" JSON_INTEGER_FORMAT " has run %.3f ms of "
		    "its work, %.3f ms are queued\n", number(d, "device"),
		    json_number_value(json_object_get(d, "run-ms")),
		    json_number_value(json_object_get(d, "queued-ms")));
	}
	list = json_object_get(j, "decisions");
	for (i = 0; i < json_array_size(list); i++) {
		d = json_array_get(list, i);
		cell_list(d, "shared-with", others);
		printf("device %" JSON_INTEGER_FORMAT " (%s%s) %s: %s; %"
		    JSON_INTEGER_FORMAT " s ago; other sessions there: %s\n",
		    number(d, "device"), text(d, "name"),
		    json_is_true(json_object_get(d, "gone")) ? ", gone" : "",
		    text(d, "decided"), text(d, "reason"), number(d,
		    "seconds"), others);
	}
}

void
show_drained(const json_t *j)
{
	const json_t *list = json_object_get(j, "stay"), *s;
	char users[CELL_MAX];
	size_t i;

	cell_list(j, "sessions", users);
	printf("device %" JSON_INTEGER_FORMAT " is drained; sessions there: "
	    "%s\n", number(j, "device"), users);
	for (i = 0; i < json_array_size(list); i++) {
		s = json_array_get(list, i);
		printf("session %" JSON_INTEGER_FORMAT " stays: %s\n",
		    number(s, "session"), text(s, "reason"));
	}
}

void
show_reload(const json_t *j)
{
	if (json_is_true(json_object_get(j, "later")))
		printf("another reload is in progress; this one begins when it "
		    "has ended\n");
}

void
show_done(const json_t *j)
{
	(void)j;
}
