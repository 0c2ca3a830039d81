/* SPDX-License-Identifier: ISC */
/*
 * settings_file - the lines of a client.conf, without their meaning.
 *
 * Small enough to live in someone else's process; the grammar is in
 * settings.h.
 */
#ifndef VGPU_ICD_SETTINGS_FILE_H
#define VGPU_ICD_SETTINGS_FILE_H

#include <stdbool.h>

#include "common/err.h"

#define SETTINGS_FILE_MAX 65536	/* bytes */

/* Takes one line's keyword and value, without quotes; may refuse them. */
typedef enum vgpu_err settings_line(void *arg, unsigned line,
    const char *keyword, const char *value);

/*
 * Call take for each line that sets something, until one fails, and return that
 * error.  A file that does not exist is no error: *was_read is then false.
 * VGPU_ECONF: not a readable regular file, larger than SETTINGS_FILE_MAX, or a
 * line that is none; text says which.  VGPU_ENOMEM.
 */
enum vgpu_err settings_file_read(const char *name, settings_line *take,
    void *arg, bool *was_read, struct err_text *);

#endif
