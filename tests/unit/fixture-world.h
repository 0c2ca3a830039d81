/* SPDX-License-Identifier: ISC */
/*
 * fixture-world - certificates for a group of tests.
 */
#ifndef VGPU_TESTS_FIXTURE_WORLD_H
#define VGPU_TESTS_FIXTURE_WORLD_H

#include "tests/unit/fixture-tls.h"

extern struct pki pki;
int world_init(void **state);
int world_fini(void **state);

#endif
