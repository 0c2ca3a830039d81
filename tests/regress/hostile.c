/* SPDX-License-Identifier: ISC */
/*
 * hostile - a client that does one thing wrong, and tells what the host did.
 *
 *	hostile WHERE FOLDER ATTACK [NUMBER [FOLDER2]]
 *	hostile WHERE FOLDER numbers	print those of all messages
 *
 * WHERE is a port, or the path of a Unix socket.  FOLDER has cert.pem and
 * key.pem.  Prints what peer_tell does.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "tests/regress/hostile_arena.h"
#include "tests/regress/peer.h"

/* --- attacks -------------------------------------------------------------- */

static const char *where, *folder, *folder2;
static uint64_t number;

/* Marsaglia's xorshift64; the same bytes in each run. */
static uint64_t
next_random(void)
{
	static uint64_t x = 0x9e3779b97f4a7c15;

	x ^= x << 13;
	x ^= x >> 7;
	return x ^= x << 17;
}

static void
fill_random(uint8_t *p, size_t n)
{
	while (n-- > 0)
		*p++ = (uint8_t)next_random();
}

/* Before anything else. */
static void
plain_http(struct peer *c)
{
	peer_put(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 35);
}

static void
random_bytes(struct peer *c)
{
	uint8_t bytes[4096];

	fill_random(bytes, sizeof(bytes));
	peer_put(c, bytes, sizeof(bytes));
}

static void
four_bytes(struct peer *c)
{
	peer_put(c, "vgpu", 4);
}

static void
only_preamble(struct peer *c)
{
	peer_put_preamble(c, number);
}

static void
no_preamble(struct peer *c)
{
	if (peer_shake_hands(c, folder))
		peer_die("refusal of a handshake without preamble");
}

/* A TLS record, and in it a ClientHello, of a length that none has. */
static void
absurd_record(struct peer *c)
{
	static const uint8_t record[] = { 0x16, 3, 1, 0xff, 0xff, 1, 0xff,
		0xff, 0xff, 3, 3 };

	peer_put_preamble(c, 0);
	peer_put(c, record, sizeof(record));
}

static void
random_handshake(struct peer *c)
{
	peer_put_preamble(c, 0);
	random_bytes(c);
}

/* As everybody does, with the certificate of this folder. */
static void
handshake(struct peer *c)
{
	peer_put_preamble(c, 0);
	peer_shake_hands(c, folder);
}

/* A frame of this length before hello. */
static void
early_length(struct peer *c)
{
	uint8_t body[4096] = { 0 };

	handshake(c);
	peer_put_frame(c, (uint32_t)number, MSG_hello, body, sizeof(body));
}

/* The same when the session stands. */
static void
late_length(struct peer *c)
{
	uint8_t body[64] = { 0 };

	handshake(c);
	peer_say_hello(c);
	peer_put_frame(c, (uint32_t)number, MSG_clFinish, body, sizeof(body));
}

/* Less than was announced, and then the end. */
static void
cut_short(struct peer *c)
{
	uint8_t body[64] = { 0 };

	handshake(c);
	peer_say_hello(c);
	peer_put_frame(c, FRAME_MAX, MSG_clCreateProgramWithSource, body,
	    sizeof(body));
	shutdown(c->fd, SHUT_WR);
}

static void
early_message(struct peer *c)
{
	uint8_t body[64] = { 0 };

	handshake(c);
	peer_put_frame(c, FRAME_HEADER + 8, (unsigned)number, body, 8);
}

static void
hello_twice(struct peer *c)
{
	handshake(c);
	peer_say_hello(c);
	peer_put_message(c, &desc_hello, &peer_hello);
}

/* A message of this number with a body that means nothing. */
static void
garbage(struct peer *c)
{
	uint8_t body[512];
	size_t n;

	handshake(c);
	peer_say_hello(c);
	for (n = 0; n <= number; n++)
		next_random();
	n = next_random() % 8 * 64;
	fill_random(body, n);
	peer_put_frame(c, (uint32_t)(FRAME_HEADER + n), (unsigned)number, body,
	    n);
	peer_end(c);
}

/* Another's session. */
static void
join_wrong_token(struct peer *c)
{
	uint8_t token[PEER_TOKEN_LEN];

	peer_put_preamble(c, number);
	peer_shake_hands(c, folder);
	fill_random(token, sizeof(token));
	peer_join(c, token);
}

/* The right token of a session of folder's, with folder2's certificate. */
static void
join_as_another(struct peer *c)
{
	struct peer control = peer_connect(where);
	uint8_t token[PEER_TOKEN_LEN];
	uint64_t session;

	handshake(&control);
	session = peer_say_hello(&control);
	peer_token(&control, token);
	peer_put_preamble(c, session);
	peer_shake_hands(c, folder2);
	peer_join(c, token);
	if (number != 0) { /* it is to succeed: see that, and end both */
		if (peer_hear(c))
			printf("%s\n", peer_heard.message->name);
		shutdown(c->fd, SHUT_WR);
		shutdown(control.fd, SHUT_WR);
	}
}

/* The handshake's first bytes, and the end. */
static void
half_hello(struct peer *c)
{
	peer_put_preamble(c, 0);
	peer_put(c, "12345678", 8);
	peer_end(c);
}

/* A descriptor with each byte of the handshake and of hello. */
static void
descriptors(struct peer *c)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .align = { .cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS } };
	char bytes[64] = { 0 };
	struct iovec iov = { bytes, 1 };
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control) };
	int i;

	memcpy(CMSG_DATA(&control.align), &c->fd, sizeof(c->fd));
	peer_put_preamble(c, 0);
	for (i = 0; i < 40 && sendmsg(c->fd, &h, MSG_NOSIGNAL) == 1; i++)
		;
	if (i < 40 || recv(c->fd, bytes, 8, MSG_WAITALL) != 8)
		peer_die("a handshake with descriptors");
	peer_say_hello(c);
	for (i = 0; i < 64 && sendmsg(c->fd, &h, MSG_NOSIGNAL) == 1; i++)
		;
}

/* Memory that both have. */
static void
arena(struct peer *c)
{
	handshake(c);
	hostile_arena(c);
}

static void
print_numbers(void)
{
	unsigned n;

	for (n = 0; n <= UINT16_MAX; n++)
		if (message_find(n) != NULL)
			printf("%u\n", n);
}

static const struct {
	const char *name;
	void (*fn)(struct peer *);
} attacks[] = {
	{ "http", plain_http },
	{ "random", random_bytes },
	{ "four-bytes", four_bytes },
	{ "only-preamble", only_preamble },
	{ "no-preamble", no_preamble },
	{ "absurd-record", absurd_record },
	{ "random-handshake", random_handshake },
	{ "handshake", handshake },
	{ "early-length", early_length },
	{ "late-length", late_length },
	{ "cut-short", cut_short },
	{ "early-message", early_message },
	{ "hello-twice", hello_twice },
	{ "garbage", garbage },
	{ "half-hello", half_hello },
	{ "descriptors", descriptors },
	{ "arena", arena },
	{ "join-wrong-token", join_wrong_token },
	{ "join-as-another", join_as_another },
};

int
main(int argc, char **argv)
{
	struct peer c;
	size_t i;

	if (argc < 4)
		return 2;
	where = argv[1];
	folder = argv[2];
	number = argc > 4 ? strtoull(argv[4], NULL, 0) : 0;
	folder2 = argc > 5 ? argv[5] : folder;
	signal(SIGPIPE, SIG_IGN);
	if (strcmp(argv[3], "numbers") == 0) {
		print_numbers();
		return 0;
	}
	for (i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++)
		if (strcmp(argv[3], attacks[i].name) == 0) {
			c = peer_connect(where);
			attacks[i].fn(&c);
			peer_tell(&c);
			return 0;
		}
	return 2;
}
