/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-world.h"

struct pki pki;

int
world_init(void **state)
{
	(void)state;
	pki_init(&pki);
	return 0;
}

int
world_fini(void **state)
{
	(void)state;
	pki_fini(&pki);
	return 0;
}
