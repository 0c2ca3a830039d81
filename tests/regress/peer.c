/* SPDX-License-Identifier: ISC */
#include "tests/regress/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "transport/preamble.h"

#define PATIENCE_S 20
#define TOKEN_LABEL "EXPORTER-vgpu-lane"

struct peer_heard peer_heard;

void
peer_die(const char *what)
{
	printf("%s failed\n", what);
	ERR_print_errors_fp(stdout);
	exit(2);
}

/* --- bytes ---------------------------------------------------------------- */

struct peer
peer_connect(const char *where)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(where)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	const struct timeval patience = { PATIENCE_S, 0 };
	struct peer c = { .local = where[0] == '/' };

	snprintf(un.sun_path, sizeof(un.sun_path), "%s", where);
	c.fd = socket(c.local ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
	if (c.fd < 0 || (c.local ?
	    connect(c.fd, (const struct sockaddr *)&un, sizeof(un)) :
	    connect(c.fd, (const struct sockaddr *)&in, sizeof(in))) != 0)
		peer_die("connect");
	setsockopt(c.fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
	    sizeof(patience));
	return c;
}

void
peer_put(struct peer *c, const void *p, size_t n)
{
	if (c->ssl != NULL)
		SSL_write(c->ssl, p, (int)n);
	else
		send(c->fd, p, n, MSG_NOSIGNAL);
}

void
peer_put_preamble(struct peer *c, uint64_t session)
{
	uint8_t bytes[PREAMBLE_LEN];

	preamble_encode(bytes, session);
	peer_put(c, bytes, sizeof(bytes));
}

/* See the connection end, whatever still comes. */
static void
await_end(struct peer *c)
{
	uint8_t bytes[4096];
	ssize_t got;

	do
		got = recv(c->fd, bytes, sizeof(bytes), 0);
	while (got > 0);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		printf("still open\n");
		exit(1);
	}
}

/* Returns how many bytes came; 0: the connection has ended. */
static size_t
get(struct peer *c, void *p, size_t n)
{
	ssize_t got = 0;

	if (c->ssl != NULL)
		got = SSL_read(c->ssl, p, (int)n);
	else if (c->local)
		got = recv(c->fd, p, n, 0);
	if (got > 0)
		return (size_t)got;
	await_end(c);
	return 0;
}

/* --- TLS ------------------------------------------------------------------ */

static void
use_folder(SSL_CTX *ctx, const char *folder)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/cert.pem", folder);
	if (SSL_CTX_use_certificate_file(ctx, path, SSL_FILETYPE_PEM) != 1)
		peer_die(path);
	snprintf(path, sizeof(path), "%s/key.pem", folder);
	if (SSL_CTX_use_PrivateKey_file(ctx, path, SSL_FILETYPE_PEM) != 1)
		peer_die(path);
}

/* Nothing is offered, and nothing is to be chosen. */
static bool
shake_local(struct peer *c)
{
	uint8_t hello[8 + PEER_TOKEN_LEN] = { 0 }, answer[8];
	ssize_t got;

	if (getrandom(c->token, PEER_TOKEN_LEN, 0) != PEER_TOKEN_LEN)
		peer_die("random numbers");
	memcpy(hello + 8, c->token, PEER_TOKEN_LEN);
	peer_put(c, hello, sizeof(hello));
	got = recv(c->fd, answer, sizeof(answer), MSG_WAITALL);
	return got == (ssize_t)sizeof(answer);
}

bool
peer_shake_hands(struct peer *c, const char *folder)
{
	static const unsigned char alpn[] = "\x06vgpu/1";
	SSL_CTX *ctx;

	if (c->local)
		return shake_local(c);
	ctx = SSL_CTX_new(TLS_client_method());
	if (ctx == NULL ||
	    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set_alpn_protos(ctx, alpn, sizeof(alpn) - 1) != 0)
		peer_die("TLS context");
	use_folder(ctx, folder);
	if ((c->ssl = SSL_new(ctx)) == NULL || SSL_set_fd(c->ssl, c->fd) != 1)
		peer_die("TLS");
	SSL_CTX_free(ctx);
	return SSL_connect(c->ssl) == 1;
}

void
peer_end(struct peer *c)
{
	if (c->ssl != NULL)
		SSL_shutdown(c->ssl);
	shutdown(c->fd, SHUT_WR);
}

/* --- frames --------------------------------------------------------------- */

void
peer_put_frame(struct peer *c, uint32_t announced, unsigned type,
    const void *body, size_t n)
{
	static uint64_t serial;
	uint8_t frame[FRAME_HEADER + 8192] = { 0 };

	serial++;
	memcpy(frame, &announced, 4);
	memcpy(frame + 4, &(uint16_t){ (uint16_t)type }, 2);
	memcpy(frame + 8, &serial, sizeof(serial));
	if (n > 0)
		memcpy(frame + FRAME_HEADER, body, n);
	peer_put(c, frame, FRAME_HEADER + n);
}

void
peer_put_message(struct peer *c, const struct message *m, const void *msg)
{
	struct buf b;

	buf_init(&b);
	codec_encode(&b, m->fields, m->field_count, msg);
	peer_put_frame(c, (uint32_t)(FRAME_HEADER + buf_len(&b)), m->number,
	    buf_front(&b), buf_len(&b));
	buf_fini(&b);
}

static bool
get_all(struct peer *c, void *p, size_t n)
{
	uint8_t *at = p;
	size_t got;

	for (; n > 0; n -= got, at += got)
		if ((got = get(c, at, n)) == 0)
			return false;
	return true;
}

bool
peer_hear(struct peer *c)
{
	uint8_t header[FRAME_HEADER];
	const struct message *m;
	uint32_t length;
	uint16_t type;

	if (!get_all(c, header, sizeof(header)))
		return false;
	memcpy(&length, header, 4);
	memcpy(&type, header + 4, 2);
	m = peer_heard.message = message_find(type);
	if (m == NULL || length < FRAME_HEADER ||
	    length - FRAME_HEADER > sizeof(peer_heard.body) ||
	    m->size > sizeof(peer_heard.msg))
		peer_die("frame from the host");
	if (!get_all(c, peer_heard.body, length - FRAME_HEADER))
		return false;
	if ((header[6] & FRAME_REPLY) == 0 && codec_decode(peer_heard.body,
	    length - FRAME_HEADER, m->fields, m->field_count, peer_heard.msg,
	    NULL) != VGPU_OK)
		peer_die("message from the host");
	return true;
}

void
peer_tell(struct peer *c)
{
	const struct msg_goodbye *bye = (const void *)peer_heard.msg;
	const struct msg_refuse *no = (const void *)peer_heard.msg;

	while (peer_hear(c))
		if (peer_heard.message->number == MSG_goodbye)
			printf("goodbye %s: %s\n",
			    err_name((enum vgpu_err)bye->error),
			    (const char *)bye->reason.p);
		else if (peer_heard.message->number == MSG_refuse)
			printf("refuse %s: %s\n",
			    err_name((enum vgpu_err)no->error),
			    (const char *)no->reason.p);
		else
			printf("%s\n", peer_heard.message->name);
	printf("closed\n");
}

const struct msg_hello peer_hello = {
	.version_min = PROTOCOL_VERSION_MIN,
	.version_max = PROTOCOL_VERSION_MAX,
	.software = { "hostile", 7 } };

uint64_t
peer_say_hello(struct peer *c)
{
	peer_put_message(c, &desc_hello, &peer_hello);
	if (!peer_hear(c) || peer_heard.message->number != MSG_welcome)
		peer_die("hello");
	return ((const struct msg_welcome *)(const void *)peer_heard.msg)->session;
}

void
peer_join(struct peer *c, const uint8_t token[PEER_TOKEN_LEN])
{
	const struct msg_join m = { .token = { token, PEER_TOKEN_LEN } };

	peer_put_message(c, &desc_join, &m);
}

void
peer_token(struct peer *c, uint8_t token[PEER_TOKEN_LEN])
{
	if (c->local)
		memcpy(token, c->token, PEER_TOKEN_LEN);
	else if (SSL_export_keying_material(c->ssl, token, PEER_TOKEN_LEN,
	    TOKEN_LABEL, strlen(TOKEN_LABEL), NULL, 0, 0) != 1)
		peer_die("token");
}
