/* SPDX-License-Identifier: ISC */
#include "tests/regress/check.h"

#include <stdio.h>
#include <stdlib.h>

void
check(const char *what, cl_int code)
{
	if (code == CL_SUCCESS)
		return;
	printf("%s %d\n", what, code);
	exit(1);
}
