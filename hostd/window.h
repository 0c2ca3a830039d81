/* SPDX-License-Identifier: ISC */
/*
 * window - commands whose bodies the client moves itself.
 *
 * Where a buffer lies in the arena (arena.h), reading or writing it is nothing
 * but a copy in the client, at the right time: after what comes before in the
 * queue, and before what comes behind.  A window is that time.  It opens when
 * the command could run, the client is told, and what comes behind is held back
 * by a native user event until the client says that it is done.
 *
 * Of a command that the client waits for itself nothing comes behind but what
 * other threads of the program send meanwhile; for that it asks for a gate.
 */
#ifndef VGPU_HOSTD_WINDOW_H
#define VGPU_HOSTD_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct command;
struct serve;
struct vmem;

/*
 * Carry out an open command on b if its body is the client's to move, and
 * close it.  False: it is not, and nothing was done.
 */
bool window_command(struct command *, const struct vmem *b,
    uint64_t transfer);

/* Is there one, open or still to open?  The client has to close it then. */
bool window_is_any(struct serve *);

#endif
