/* SPDX-License-Identifier: ISC */
/*
 * context_notify - text for the notification callback of a client's context.
 */
#ifndef VGPU_HOSTD_CONTEXT_NOTIFY_H
#define VGPU_HOSTD_CONTEXT_NOTIFY_H

#include "hostd/serve.h"

/* Tell the context of the given id.  Any thread. */
void context_notify(struct serve *, uint64_t id, const char *text);

/* Tell the context of the first object that a call names, if there is one. */
void context_notify_call(struct serve *, const struct call *, const char *);

/*
 * While this thread tries what a vendor accepts, what the vendor says about
 * it is not the program's business.
 */
void context_notify_mute(bool);
bool context_notify_muted(void);

#endif
