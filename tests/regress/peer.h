/* SPDX-License-Identifier: ISC */
/*
 * peer - a client's end of a connection, made by hand.
 *
 * It speaks TLS through OpenSSL, and Unix sockets and frames itself, so that
 * nothing of vgpu's own keeps a test from sending what it likes.  What fails
 * that should not ends the program.
 */
#ifndef VGPU_TESTS_REGRESS_PEER_H
#define VGPU_TESTS_REGRESS_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/messages.h"

#define PEER_TOKEN_LEN 32

struct ssl_st;

struct peer {
	int fd;
	bool local;		/* a Unix socket */
	struct ssl_st *ssl;	/* NULL: no handshake yet, or local */
	uint8_t token[PEER_TOKEN_LEN];	/* local: of the handshake */
};

/* The last message from the host. */
extern struct peer_heard {
	const struct message *message;
	uint64_t body[1 << 17];
	uint64_t msg[128];	/* decoded */
} peer_heard;

extern const struct msg_hello peer_hello;

/* End the program: this failed. */
void peer_die(const char *what) __attribute__((noreturn));

/* Connect to a port of this machine, or to the path of a Unix socket. */
struct peer peer_connect(const char *where);

/* Send bytes; a host that has closed already is no error. */
void peer_put(struct peer *, const void *, size_t n);
void peer_put_preamble(struct peer *, uint64_t session);

/*
 * The handshake, with cert.pem and key.pem of a folder (of no account where it
 * is local).  True when it got
 * through on this side; the host may still refuse.
 */
bool peer_shake_hands(struct peer *, const char *folder);

/* Say that nothing more will be sent. */
void peer_end(struct peer *);

/* A frame whose header announces what it likes. */
void peer_put_frame(struct peer *, uint32_t announced, unsigned type,
    const void *body, size_t n);
void peer_put_message(struct peer *, const struct message *, const void *);

/* The next message, in peer_heard; false: the connection has ended. */
bool peer_hear(struct peer *);

/*
 * Print a line for each message that comes, then "closed"; or, where nothing
 * comes and the connection does not end, "still open", and end the program.
 */
void peer_tell(struct peer *);

/* Hello and welcome; returns the session's number. */
uint64_t peer_say_hello(struct peer *);

/* The session's token, and joining by it. */
void peer_token(struct peer *, uint8_t token[PEER_TOKEN_LEN]);
void peer_join(struct peer *, const uint8_t token[PEER_TOKEN_LEN]);

#endif
