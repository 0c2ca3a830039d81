/* SPDX-License-Identifier: ISC */
/*
 * lobby - accepted connections that have not said anything yet.
 *
 * A process for each connection would be a cheap way to exhaust a host, so a
 * connection gets one only when its first 16 bytes have arrived: the kernel
 * tells (SO_RCVLOWAT), nothing is read here.  A silent one costs a descriptor
 * until its time is over, or until the room is full and it is the oldest.
 *
 * Of Unix sockets the kernel tells from the first byte on.  That is enough
 * there: who sends only one is a user of this machine, and known.
 */
#ifndef VGPU_HOSTD_LOBBY_H
#define VGPU_HOSTD_LOBBY_H

#include <stdbool.h>

struct event_base;
struct lobby;

/* Called when lobby_take will return something. */
typedef void lobby_function(void *arg);

/* Room for max connections, each for at most that many seconds. */
struct lobby *lobby_new(struct event_base *, unsigned max, unsigned seconds,
    lobby_function *, void *arg);
void lobby_free(struct lobby *);

/* New limits, for connections from now on. */
void lobby_limit(struct lobby *, unsigned max, unsigned seconds);

/* A new connection; takes fd. */
void lobby_put(struct lobby *, int fd);

/* The connection that has been ready longest, now the caller's; -1: none. */
int lobby_take(struct lobby *);

/* How many are ready, waiting for lobby_take. */
unsigned lobby_ready(const struct lobby *);

#endif
