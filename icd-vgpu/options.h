/* SPDX-License-Identifier: ISC */
/*
 * options - a program's build options, split into words as a shell would.
 *
 * The folders of -I are on the client and the compiler is on the host, so they
 * are taken out here.  Every other word goes to the vendor as the program
 * spelled it, quotes included: vendors differ in what they do with quotes (PoCL
 * 3.1 splits at blanks outside double quotes and leaves single quotes alone),
 * and the program was written for its vendor.  Unknown options are no error:
 * the vendor decides, as it does natively.
 */
#ifndef VGPU_ICD_OPTIONS_H
#define VGPU_ICD_OPTIONS_H

#include <stddef.h>

#include "common/err.h"

struct option_macro {
	char *name;	/* with its parameters: "X", "F(a,b)" */
	char *value;	/* "1" where the option gave none; NULL: undefined */
};

struct options {
	char **folder;	/* of -I, as given without quotes, in order */
	size_t n_folder;
	struct option_macro *macro; /* of -D and -U, in order */
	size_t n_macro;
	char *rest;	/* the options without -I; never NULL after VGPU_OK */
};

/*
 * Read text (NULL is no options).  The result is owned by the caller, who ends
 * it with options_fini.  A -D whose word has quotes or backslashes is listed
 * twice where the two readings differ: as a vendor sees it that does not
 * unquote, then as a shell does.  A -I, -D or -U with nothing after it stays
 * in rest.
 * VGPU_ECL: a quote is not closed, text says where; the build options are not
 * valid (CL_INVALID_BUILD_OPTIONS).  VGPU_ENOMEM.  On error there is nothing
 * to end.
 */
enum vgpu_err options_parse(struct options *, const char *text,
    struct err_text *);

void options_fini(struct options *);

#endif
