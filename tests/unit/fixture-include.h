/* SPDX-License-Identifier: ISC */
/*
 * fixture-include - a made-up tree of files, removed after each test, and what is
 * collected of it for a program's text.
 *
 * All names are relative to its root.  In texts, @ stands for the root, and ^ for
 * the root without its slash.
 */
#ifndef VGPU_TESTS_FIXTURE_INCLUDE_H
#define VGPU_TESTS_FIXTURE_INCLUDE_H

#include "icd-vgpu/include.h"
#include "icd-vgpu/options.h"

extern char root[64];

/* Of the last collection. */
extern struct options options;
extern struct includes in;
extern struct err_text err;

int include_setup(void **state);
int include_teardown(void **state);

#define INCLUDE_TEST(name) \
	cmocka_unit_test_setup_teardown(name, include_setup, include_teardown)

/* root/name; the buffers are used in turn. */
char *at(const char *name);

/* A copy with the root in its places. */
char *with_root(const char *text);

/* Write a file, and the folders above it: of a text, or of bytes as they are. */
void put(const char *name, const char *text);
void put_bytes(const char *name, const char *, size_t);

/* Collect what sources include, with these options. */
enum vgpu_err collect_sources(const struct include_source *, size_t n,
    const char *option_text);
enum vgpu_err try_collect(const char *text, const char *option_text);
void collect(const char *text, const char *option_text);

/* What the result has, as text without the root: "a.h sub/b.h ". */
const char *files(void);
const struct include_file *file(const char *name);

/* The program's text as it is compiled, if it was rewritten; or it was not. */
void check_source(const char *want);
void check_unchanged(void);
void check_file(const char *name, const char *want);

#endif
