/* SPDX-License-Identifier: ISC */
/*
 * Numbers are written and read with the program's locale in force, which may
 * have a comma for the point; the environment is strange besides.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/traps/traps.h"

void
odd_locale(void)
{
	char version[256], *end;

	/* Whether it is there or not. */
	setlocale(LC_ALL, "de_DE.UTF-8");
	setenv("LC_ALL", "no_SUCH.locale", 1);
	setenv("TMPDIR", "/nonexistent", 1);
	setenv("HOME", "", 1);
	say("compute: %d", compute());
	must(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(version),
	    version, NULL), "CL_DEVICE_VERSION");
	say("version: %d", strncmp(version, "OpenCL ", 7) == 0 &&
	    strtol(version + 7, &end, 10) > 0 && *end == '.');
}
