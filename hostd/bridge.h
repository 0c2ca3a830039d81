/* SPDX-License-Identifier: ISC */
/*
 * bridge - events of one member in wait lists of another.
 *
 * A vendor knows its own events only.  For each other member whose commands
 * wait for it, an event has a user event there, which is set when the event
 * has ended.  It is kept as the event's native object in that member.
 *
 * The loop thread's.
 */
#ifndef VGPU_HOSTD_BRIDGE_H
#define VGPU_HOSTD_BRIDGE_H

#include "hostd/serve.h"

/*
 * What a command of the member has to wait for in e's place; NULL and a code.
 */
cl_event bridge_event(struct serve *, struct vevent *e, unsigned member,
    cl_int *code);

/* The client has set a user event: set it in all members but its own. */
void bridge_set_user(struct serve *, struct vevent *, cl_int status);

#endif
