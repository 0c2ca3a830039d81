/* SPDX-License-Identifier: ISC */
/*
 * conf_check - whether a value of the configuration is what its keyword takes.
 */
#ifndef VGPU_HOSTD_CONF_CHECK_H
#define VGPU_HOSTD_CONF_CHECK_H

#include <confuse.h>

#define QUOTE "; texts with // or /* in them stand in quotes"

/* libconfuse calls it after each value, or list of them. */
int conf_check_value(cfg_t *, cfg_opt_t *);

/* What conf_parse.c has for it: one line about the load in progress, ... */
void conf_complain(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ... and the keyword of a section; NULL: outside of all. */
const char *conf_section(const cfg_t *);

#endif
