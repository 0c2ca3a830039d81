/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* struct ucred */
#include "transport/peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "transport/tcp.h"

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

/* The groups besides the main one; none where the kernel does not tell. */
static void
get_groups(int fd, struct peer *p)
{
	socklen_t n = 0;
	unsigned count;
	gid_t *all;

	/* Asked with too little room, it says how much there is. */
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &n) == 0 ||
	    errno != ERANGE || (all = malloc(n)) == NULL)
		return;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, all, &n) == 0) {
		count = (unsigned)(n / sizeof(*all));
		if (count > PEER_GROUPS_MAX - 1)
			count = PEER_GROUPS_MAX - 1;
		memcpy(p->groups + 1, all, count * sizeof(*all));
		p->group_count += count;
	}
	free(all);
}

void
peer_get(int fd, struct peer *p)
{
	struct ucred c;
	socklen_t n;
	int domain;

	memset(p, 0, sizeof(*p));
	p->uid = (uid_t)-1;
	n = sizeof(domain);
	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) != 0 ||
	    domain != AF_UNIX)
		return;
	n = sizeof(c);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &n) != 0 ||
	    n != sizeof(c))
		return;
	p->local = true;
	p->uid = c.uid;
	p->pid = c.pid;
	p->groups[0] = c.gid;
	p->group_count = 1;
	get_groups(fd, p);
}

const char *
peer_name(int fd, char out[PEER_NAME_MAX])
{
	struct peer p;

	peer_get(fd, &p);
	if (!p.local)
		return tcp_peer(fd, out);
	snprintf(out, PEER_NAME_MAX, "user %u process %d", (unsigned)p.uid,
	    (int)p.pid);
	return out;
}
