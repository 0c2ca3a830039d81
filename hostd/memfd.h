/* SPDX-License-Identifier: ISC */
/*
 * memfd - bytes that pass from one of the daemon's processes to another as an
 * open file in memory.
 */
#ifndef VGPU_HOSTD_MEMFD_H
#define VGPU_HOSTD_MEMFD_H

#include <stddef.h>

#include "common/buf.h"
#include "common/err.h"

/* An empty one, close-on-exec; -1 on failure. */
int memfd_new(const char *name, struct err_text *);

/* One that holds n bytes and that nobody can change any more; -1. */
int memfd_sealed(const char *name, const void *, size_t n, struct err_text *);

/*
 * Append what it holds to out.  The one who wrote it may be hostile and still
 * be writing: what is copied is what there is.  VGPU_EPROTO: more than max
 * bytes.  VGPU_ESYS.  VGPU_ENOMEM.
 */
enum vgpu_err memfd_read(int fd, size_t max, struct buf *out,
    struct err_text *);

/* The same for a file that is named. */
enum vgpu_err memfd_read_file(const char *file, size_t max, struct buf *out,
    struct err_text *);

#endif
