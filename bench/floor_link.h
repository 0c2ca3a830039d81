/* SPDX-License-Identifier: ISC */
/*
 * floor_link - two processes and a connection between them, as fast as the
 * machine has them: nothing but sockets and OpenSSL.
 *
 * Each of the two gets a core of its own, where there are two.
 */
#ifndef BENCH_FLOOR_LINK_H
#define BENCH_FLOOR_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum floor_kind { FLOOR_TCP, FLOOR_TLS, FLOOR_UNIX };

#define FLOOR_GATHER (256 * 1024)      /* bytes of records a socket write */
#define FLOOR_BUFFER (4 * 1024 * 1024) /* of each socket */

struct floor_link {
	enum floor_kind kind;
	int fd;
	struct ssl_st *ssl; /* NULL but for TLS */
	struct bio_st *out; /* what gathers records; NULL where nothing does */
	double poll_us;	    /* how long the socket is polled before sleeping */
};

/* A pair of connected sockets; for streams with large buffers. */
void floor_pair(enum floor_kind, bool stream, int fds[2]);

/*
 * Fork: run peer(fd, arg) in another process with one socket of each pair,
 * and go on here with the others.  The parent's sockets are fds[i][0].
 */
pid_t floor_fork(int fds[][2], unsigned n, void (*peer)(int *fd, unsigned n,
    const void *arg), const void *arg);

/* Wait for that process; fail unless it ended well. */
void floor_join(pid_t);

/*
 * A link over a connected socket; the handshake of TLS is in it.  stream:
 * gather records, read ahead as much.
 */
void floor_open(struct floor_link *, enum floor_kind, int fd, bool server,
    bool stream);
void floor_close(struct floor_link *);

/* All of it, or fail.  floor_read sleeps once polling has brought nothing. */
void floor_write(struct floor_link *, const void *, size_t);
void floor_read(struct floor_link *, void *, size_t);
/* What was gathered leaves. */
void floor_flush(struct floor_link *);

#endif
