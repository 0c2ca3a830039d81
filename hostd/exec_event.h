/* SPDX-License-Identifier: ISC */
/*
 * exec_event - events of commands, user events, and what the client asks
 * about them.
 */
#ifndef VGPU_HOSTD_EXEC_EVENT_H
#define VGPU_HOSTD_EXEC_EVENT_H

#include "hostd/serve.h"

/*
 * An event under the client's id, without its native event yet.  NULL: the
 * connection has failed.
 */
struct vevent *vevent_new(struct serve *, struct call *, uint64_t id,
    struct vcontext *, unsigned member);

/*
 * An event that the client does not know, for a command of which it wants
 * none; the reference is the caller's.  NULL: no memory.
 */
struct vevent *vevent_hidden(struct vcontext *, unsigned member);

#endif
