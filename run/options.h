/* SPDX-License-Identifier: ISC */
/*
 * options - the command line of vgpu-run.
 */
#ifndef VGPU_RUN_OPTIONS_H
#define VGPU_RUN_OPTIONS_H

#include <stdbool.h>

struct options {
	const char *conf;	/* -c; or NULL */
	const char *vendors;	/* --vendors; or NULL */
	const char *as;		/* --as; or NULL */
	const char *view;	/* --view; or NULL */
	bool keep;		/* -k */
	bool local;		/* -t local */
	unsigned verbose;	/* -v, once or more */
	char **command;		/* ended by NULL */
};

/*
 * Read the command line; what is after the first word that is no option is
 * the command's.  Returns -1, or the exit status of a program that has nothing
 * more to do (after -h, or a message about what is wrong).
 */
int options_read(int argc, char **argv, struct options *);

#endif
