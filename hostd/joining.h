/* SPDX-License-Identifier: ISC */
/*
 * joining - a further lane of the client's, until it has shown the session's
 * token.
 *
 * It comes from lane.c with the certificate, or the user, of the first one.  One
 * that shows no token, or another, or comes when a lane has joined already, is
 * closed; the session goes on.
 */
#ifndef VGPU_HOSTD_JOINING_H
#define VGPU_HOSTD_JOINING_H

#include "hostd/serve.h"

/* Takes the transport; joined takes the link, in the loop thread. */
void joining_start(struct serve *, struct transport *,
    void (*joined)(struct serve *, struct link *));

#endif
