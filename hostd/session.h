/* SPDX-License-Identifier: ISC */
/*
 * session - the process of one client, from its start to the moment when the
 * serving part (serve.h) takes over.
 *
 * It gives up its privileges, waits warm for a connection, reads the preamble,
 * does the TLS handshake with a key that only the parent has, tells the parent
 * who the client is, and learns whether and as what it is admitted.  Later it
 * takes further connections of the same client, which the parent passes on.
 */
#ifndef VGPU_HOSTD_SESSION_H
#define VGPU_HOSTD_SESSION_H

#include <stdbool.h>

#define SESSION_ROLE "--session"
#define SESSION_ROLE_BARE "--session-bare"	/* no vendor ahead of time */

/* The whole life of that process; returns its exit status. */
int session_main(bool bare);

#endif
