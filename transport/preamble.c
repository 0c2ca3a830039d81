/* SPDX-License-Identifier: ISC */
#include "transport/preamble.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "common/log.h"

#define MAGIC_LEN 8

/* The line end shows a connection through something that changes text. */
static const uint8_t magic[MAGIC_LEN] = { 'v', 'g', 'p', 'u', '-', '1', '\r',
	'\n' };

void
preamble_encode(uint8_t out[PREAMBLE_LEN], uint64_t session)
{
	int i;

	memcpy(out, magic, MAGIC_LEN);
	for (i = 0; i < 8; i++)
		out[MAGIC_LEN + i] = (uint8_t)(session >> (8 * i));
}

/* What came instead, from as many bytes as there are. */
static enum vgpu_err
explain(const uint8_t *p, size_t n, struct err_text *err)
{
	static const char *const methods[] = { "GET ", "POST ", "HEAD ",
		"PUT ", "OPTIONS ", "PRI ", "CONNECT " };
	char shown[80];
	size_t i, len;

	for (i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		len = strlen(methods[i]);
		if (n >= len && memcmp(p, methods[i], len) == 0)
			return err_set(err, VGPU_EPROTO,
			    "the peer sent an HTTP request, not vgpu's "
			    "preamble");
	}
	if (n >= 2 && p[0] == 0x16 && p[1] == 0x03)
		return err_set(err, VGPU_EPROTO,
		    "the peer began TLS without vgpu's preamble");
	if (n >= 4 && memcmp(p, "SSH-", 4) == 0)
		return err_set(err, VGPU_EPROTO,
		    "the peer speaks SSH, not vgpu");
	if (n >= 6 && memcmp(p, magic, 5) == 0 && p[5] != magic[5])
		return err_set(err, VGPU_EPROTO,
		    "the peer's preamble is \"%s\", this host knows vgpu-1",
		    log_escape(shown, sizeof(shown), (const char *)p,
		    n < MAGIC_LEN - 2 ? n : MAGIC_LEN - 2));
	return err_set(err, VGPU_EPROTO,
	    "the peer sent \"%s\" instead of vgpu's preamble",
	    log_escape(shown, sizeof(shown), (const char *)p,
	    n < PREAMBLE_LEN ? n : PREAMBLE_LEN));
}

enum vgpu_err
preamble_check(const uint8_t *p, size_t n, uint64_t *session,
    struct err_text *err)
{
	uint64_t v = 0;
	int i;

	if (memcmp(p, magic, n < MAGIC_LEN ? n : MAGIC_LEN) != 0)
		return explain(p, n, err);
	if (n < PREAMBLE_LEN)
		return err_set(err, VGPU_EAGAIN,
		    "only %zu of %d bytes of vgpu's preamble arrived", n,
		    PREAMBLE_LEN);
	for (i = 7; i >= 0; i--)
		v = v << 8 | p[MAGIC_LEN + i];
	*session = v;
	return VGPU_OK;
}

enum vgpu_err
preamble_send(int fd, uint64_t session, struct err_text *err)
{
	uint8_t bytes[PREAMBLE_LEN];
	ssize_t n;

	preamble_encode(bytes, session);
	do
		n = send(fd, bytes, sizeof(bytes), MSG_NOSIGNAL | MSG_MORE);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
		return err_set(err, VGPU_ECLOSED,
		    "the host closed the connection at once");
	if (n < 0)
		return err_sys(err, "cannot send the preamble");
	if (n != (ssize_t)sizeof(bytes)) /* a fresh socket has room */
		return err_set(err, VGPU_ECLOSED,
		    "only %zd of %d bytes of the preamble were sent", n,
		    PREAMBLE_LEN);
	return VGPU_OK;
}
