/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-include.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

char root[64];
struct options options;
struct includes in;
struct err_text err;

int
include_setup(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/vgpu-include-XXXXXX");
	memset(&options, 0, sizeof(options));
	memset(&in, 0, sizeof(in));
	return mkdtemp(root) == NULL ? -1 : 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

int
include_teardown(void **state)
{
	(void)state;
	options_fini(&options);
	include_fini(&in);
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

char *
at(const char *name)
{
	static char path[8][4200];
	static unsigned next;
	char *p = path[next++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", root, name);
	return p;
}

static void
make_parents(char *path)
{
	char *p;

	for (p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

void
put_bytes(const char *name, const char *text, size_t n)
{
	char *path = at(name);
	FILE *f;

	make_parents(path);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

char *
with_root(const char *text)
{
	char *s = calloc(1, strlen(text) * sizeof(root) + 1), *to = s;

	assert_non_null(s);
	for (; *text != '\0'; text++)
		if (*text == '@' || *text == '^')
			to = stpcpy(to, root + (*text == '^'));
		else
			*to++ = *text;
	return s;
}

void
put(const char *name, const char *text)
{
	char *s = with_root(text);

	put_bytes(name, s, strlen(s));
	free(s);
}

enum vgpu_err
collect_sources(const struct include_source *source, size_t n,
    const char *option_text)
{
	struct include_request r = { source, n, &options, root };
	char *s = with_root(option_text);

	options_fini(&options);
	include_fini(&in);
	assert_int_equal(options_parse(&options, s, &err), VGPU_OK);
	free(s);
	return include_collect(&in, &r, &err);
}

enum vgpu_err
try_collect(const char *text, const char *option_text)
{
	char *s = with_root(text);
	const struct include_source source = { NULL, s, strlen(s) };
	enum vgpu_err e = collect_sources(&source, 1, option_text);

	free(s);
	return e;
}

void
collect(const char *text, const char *option_text)
{
	enum vgpu_err e = try_collect(text, option_text);

	if (e != VGPU_OK)
		fail_msg("%s: %s", err_name(e), err.s);
}

const char *
files(void)
{
	static char all[8192];
	size_t i, n = 0;

	all[0] = '\0';
	for (i = 0; i < in.n_file; i++) {
		assert_int_equal(strncmp(in.file[i].path, root, strlen(root)),
		    0);
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s ",
		    in.file[i].path + strlen(root) + 1);
	}
	return all;
}

const struct include_file *
file(const char *name)
{
	size_t i;

	for (i = 0; i < in.n_file; i++)
		if (strcmp(in.file[i].path, at(name)) == 0)
			return &in.file[i];
	fail_msg("%s is not among the files", name);
	return NULL;
}

void
check_source(const char *want)
{
	char *s = with_root(want);

	assert_int_equal(in.n_source, 1);
	assert_non_null(in.source[0].text);
	assert_int_equal(in.source[0].len, strlen(s));
	assert_memory_equal(in.source[0].text, s, strlen(s));
	free(s);
}

void
check_file(const char *name, const char *want)
{
	const struct include_file *f = file(name);
	char *s = with_root(want);

	assert_int_equal(f->len, strlen(s));
	assert_memory_equal(f->data, s, strlen(s));
	free(s);
}

void
check_unchanged(void)
{
	assert_int_equal(in.n_source, 1);
	assert_null(in.source[0].text);
}
