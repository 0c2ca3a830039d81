/* SPDX-License-Identifier: ISC */
/*
 * conf_value - values of a parsed configuration, or their defaults.
 *
 * cfg is the section (NULL where it is not there), section its keyword (NULL:
 * outside of all).  Values are known to be good; see conf_check.h.
 */
#ifndef VGPU_HOSTD_CONF_VALUE_H
#define VGPU_HOSTD_CONF_VALUE_H

#include <confuse.h>

#include "hostd/conf.h"

/* A text, which is libconfuse's or static; NULL: no value and no default. */
const char *conf_value_text(cfg_t *, const char *section, const char *name);

/* 0 where there is neither. */
unsigned conf_value_number(cfg_t *, const char *section, const char *name);

/* The place of the word in its keyword's choices; -1 where there is none. */
int conf_value_choice(cfg_t *, const char *section, const char *name);

/* A CL_DEVICE_TYPE_* from present-as, or 0. */
uint64_t conf_value_type(cfg_t *, const char *section);

/* Copies of all of a list.  VGPU_ENOMEM. */
enum vgpu_err conf_value_texts(cfg_t *, const char *section,
    const char *name, struct conf_texts *);

/* They, with line ends between them; *out is NULL where there are none. */
enum vgpu_err conf_value_lines(cfg_t *, const char *name, char **out);

/* The numbers of users or groups.  VGPU_ENOMEM. */
enum vgpu_err conf_value_ids(cfg_t *, const char *section, const char *name,
    struct conf_ids *);

#endif
