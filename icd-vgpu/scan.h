/* SPDX-License-Identifier: ISC */
/*
 * scan - the #include and #define lines of an OpenCL C text.
 *
 * Follows the first translation phases of C (line continuations, comments,
 * strings) and nothing more: conditionals are not evaluated, so lines of
 * branches that the compiler would skip are reported too.  Newlines are LF, CR
 * LF or CR; NUL bytes are blanks.  Digraphs and trigraphs are not known.
 */
#ifndef VGPU_ICD_SCAN_H
#define VGPU_ICD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "common/err.h"

enum scan_kind { SCAN_INCLUDE, SCAN_INCLUDE_NEXT, SCAN_IMPORT, SCAN_DEFINE };

struct scan_line {
	enum scan_kind kind;
	size_t start;	/* of the '#' in the text */
	size_t end;	/* of the newline that ends the line, or the text's */
	/*
	 * What follows the directive's name, on one line, without comments and
	 * outer blanks; NUL-terminated.
	 */
	const char *operand;
	size_t len;
};

/* Takes a line, which is valid during the call; an error ends the scan. */
typedef enum vgpu_err scan_take(void *arg, const struct scan_line *);

/*
 * Report the lines of n bytes of text: the kinds of include where defines is
 * false, else only SCAN_DEFINE.  Returns what take returned.  VGPU_ENOMEM.
 */
enum vgpu_err scan_text(const char *text, size_t n, bool defines,
    scan_take *take, void *arg);

/*
 * False: the text has no line of a kind of include, as a plain search shows.
 * True: scan_text has to be asked.
 */
bool scan_may_include(const char *text, size_t n);

#endif
