/* SPDX-License-Identifier: ISC */
/*
 * fixture-local - two ends of a local connection, in one thread: nothing
 * blocks, so a test decides who moves.
 */
#ifndef VGPU_TESTS_FIXTURE_LOCAL_H
#define VGPU_TESTS_FIXTURE_LOCAL_H

#include "transport/transport.h"

/* Connected Unix sockets. */
void local_sockets(int *client, int *host);

/* Both ends, whose handshake is done. */
void local_connect(struct transport **client, struct transport **host);

#endif
