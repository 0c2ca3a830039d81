/* SPDX-License-Identifier: ISC */
/*
 * talk - a session process's side of its channel to the parent.
 *
 * There is one channel in a process, at SPAWN_FD.  Without a parent nothing is
 * left to do, so whatever goes wrong here ends the process.
 */
#ifndef VGPU_HOSTD_TALK_H
#define VGPU_HOSTD_TALK_H

#include <stdbool.h>
#include <stdint.h>

#include "hostd/channel.h"
#include "transport/sign.h"

/* Log a line, and end the process. */
void talk_fatal(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

void talk_tell(enum channel_type, const void *, size_t, int fd);

/* A message if there is one: VGPU_OK or VGPU_EAGAIN. */
enum vgpu_err talk_hear(struct channel_msg *);

/*
 * Wait for a message of one of two types.  Further connections (CHANNEL_LANE)
 * that come meanwhile are put aside; what else may come at any time goes to
 * talk_note.
 */
void talk_await(struct channel_msg *, uint32_t one, uint32_t other,
    int64_t deadline);

/*
 * Who is told of CHANNEL_SHUT and CHANNEL_MOVE, and only takes note; false: it
 * is something else.
 */
void talk_set_note(void (*note)(const struct channel_msg *));
bool talk_note(const struct channel_msg *);

/* A connection that was put aside, now the caller's; -1: none. */
int talk_aside(void);

/* Call wake() whenever one is put aside. */
void talk_set_wake(void (*wake)(void));

/* How a session signs: it lets the parent do it.  For tls_ctx_new_host. */
enum vgpu_err talk_sign(void *unused, const struct sign_request *,
    struct sign_reply *);

/* The parent's answers take at most this long, or it is stuck. */
#define TALK_PARENT_MS 5000

#endif
