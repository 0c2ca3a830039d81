/* SPDX-License-Identifier: ISC */
/*
 * control - the Unix socket at which the parent answers vgpuctl.
 *
 * Who may connect is decided by the socket's permissions.  A connection brings
 * one line and gets one answer, a JSON text and a line end.  Lines, time and
 * the number of connections are bounded, and nothing here waits.
 */
#ifndef VGPU_HOSTD_CONTROL_H
#define VGPU_HOSTD_CONTROL_H

#include <stdbool.h>

#include "common/err.h"

#define CONTROL_LINE_MAX 255
#define CONTROL_CONNECTIONS_MAX 16
#define CONTROL_TIMEOUT_S 5

struct control;
struct event_base;

/* The answer to a line, allocated; NULL: no memory. */
typedef char *control_function(void *arg, const char *line);

/*
 * Listen at a path; what an ended daemon left there is replaced.  group is a
 * group's number, who may connect beside the daemon's user, or UINT_MAX.
 * VGPU_ECONF: somebody else listens there, or it can't be made; text says why.
 */
enum vgpu_err control_open(struct control **, struct event_base *,
    const char *path, unsigned group, control_function *, void *arg,
    struct err_text *);

/* Whether it listens at that path for that group. */
bool control_is(const struct control *, const char *path, unsigned group);

/* Close all connections, and remove the socket.  NULL: nothing. */
void control_close(struct control *);

#endif
