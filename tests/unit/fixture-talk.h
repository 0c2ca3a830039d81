/* SPDX-License-Identifier: ISC */
/*
 * fixture-talk - two worlds that do not trust each other, and what the two ends
 * of a TLS connection say.
 */
#ifndef VGPU_TESTS_FIXTURE_TALK_H
#define VGPU_TESTS_FIXTURE_TALK_H

#include "tests/unit/fixture-world.h"

/* Another CA's certificates, beside pki, for a group of tests. */
extern struct pki other;
int worlds_init(void **state);
int worlds_fini(void **state);

/* The error has these words, in one line. */
void said(const struct err_text *, const char *words);

/* Read until there is something; the error if there is one. */
enum vgpu_err read_wait(struct transport *, void *, size_t, size_t *got,
    struct err_text *);

void write_all(struct transport *, const void *, size_t);

/* What is written at one end comes out at the other. */
void arrives(struct transport *from, struct transport *to, const char *text);

/* With a farewell. */
void close_both(struct transport *, struct transport *);

#endif
