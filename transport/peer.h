/* SPDX-License-Identifier: ISC */
/*
 * peer - who is at the other end of a connected socket, as the kernel tells.
 *
 * Of a Unix socket it knows the user, and nobody can lie about that; of TCP
 * just the address, which proves nothing.
 */
#ifndef VGPU_TRANSPORT_PEER_H
#define VGPU_TRANSPORT_PEER_H

#include <stdbool.h>
#include <sys/types.h>

#define PEER_NAME_MAX 64
#define PEER_GROUPS_MAX 64

/* The user at the other end, when it connected, or began to listen. */
struct peer {
	bool local;	/* else nothing else is known */
	uid_t uid;
	pid_t pid;
	unsigned group_count;	/* the main one first; more are left out */
	gid_t groups[PEER_GROUPS_MAX];
};

void peer_get(int fd, struct peer *);

/* "192.0.2.1:4711" or "user 1000 process 4711", for logs.  Returns out. */
const char *peer_name(int fd, char out[PEER_NAME_MAX]);

#endif
