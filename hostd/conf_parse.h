/* SPDX-License-Identifier: ISC */
/*
 * conf_parse - from a configuration's text to values that are checked.
 *
 * libconfuse does the syntax; what may stand where, and which values are
 * right, is in conf_table.c.  Each message names file and line.
 */
#ifndef VGPU_HOSTD_CONF_PARSE_H
#define VGPU_HOSTD_CONF_PARSE_H

#include <confuse.h>
#include <stdbool.h>

#include "hostd/conf.h"
#include "hostd/conf_table.h"

/*
 * Parse a configuration; the caller frees *out with cfg_free.  Values are
 * texts and lists of texts, none where a keyword is not there.
 * VGPU_ECONF, VGPU_ENOMEM: messages has the lines that say why.
 */
enum vgpu_err conf_parse(const struct conf_source *, cfg_t **out,
    struct buf *messages);

/* A number within the limits of its keyword; false: it is none. */
bool conf_number(const struct conf_key *, const char *text, unsigned *out);

#endif
