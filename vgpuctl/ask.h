/* SPDX-License-Identifier: ISC */
/*
 * ask - one question to a daemon, and its answer.
 */
#ifndef VGPU_VGPUCTL_ASK_H
#define VGPU_VGPUCTL_ASK_H

#include <jansson.h>

#include "common/err.h"

#define ASK_SOCKET "/run/vgpu/control"
#define ASK_TIMEOUT_S 10
#define ASK_BYTES_MAX ((size_t)16 << 20)

/*
 * Ask the daemon that listens at a path; *out is the caller's.  Waits
 * ASK_TIMEOUT_S at most for each part of the answer.
 * VGPU_ESYS: it can't be reached, or says nothing.  VGPU_EPROTO: that is no
 * answer.  The text says what to do.
 */
enum vgpu_err ask(const char *path, const char *question, json_t **out,
    struct err_text *);

#endif
