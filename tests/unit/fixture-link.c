/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-link.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/fixture-local.h"
#include "tests/unit/fixture-tls.h"
#include "transport/pair.h"

struct link *a, *b;
struct transport *raw;
static struct pki pki;

int
link_group_setup(void **state)
{
	(void)state;
	pki_init(&pki);
	return 0;
}

int
link_group_teardown(void **state)
{
	(void)state;
	pki_fini(&pki);
	return 0;
}

int
link_setup_raw(void **state)
{
	struct transport *t;

	(void)state;
	b = NULL;
	if (pair_new(&raw, &t, "lab", NULL) != VGPU_OK)
		return -1;
	a = link_new(t, FRAME_MAX);
	return a != NULL ? 0 : -1;
}

int
link_setup_pair(void **state)
{
	if (link_setup_raw(state) != 0)
		return -1;
	b = link_new(raw, FRAME_MAX);
	raw = NULL;
	return b != NULL ? 0 : -1;
}

int
link_setup_tls(void **state)
{
	struct transport *c, *h;

	(void)state;
	raw = NULL;
	connection_new(&pki, &c, &h);
	a = link_new(c, FRAME_MAX);
	b = link_new(h, FRAME_MAX);
	return a != NULL && b != NULL ? 0 : -1;
}

int
link_setup_local(void **state)
{
	struct transport *c, *h;

	(void)state;
	raw = NULL;
	local_connect(&c, &h);
	a = link_new(c, FRAME_MAX);
	b = link_new(h, FRAME_MAX);
	return a != NULL && b != NULL ? 0 : -1;
}

int
link_teardown(void **state)
{
	(void)state;
	link_free(a, true);
	link_free(b, true);
	if (raw != NULL)
		raw->ops->close(raw, true);
	raw = NULL;
	a = b = NULL;
	return 0;
}

void
send_frame(struct link *l, uint16_t type, uint64_t serial, const void *body,
    size_t n)
{
	struct buf *to = link_begin(l, type, (uint16_t)(type + 1), serial);

	buf_append(to, body, n);
	assert_int_equal(link_end(l), VGPU_OK);
}

void
wait_readable(struct link *l)
{
	struct pollfd p = { .fd = link_fd(l), .events = POLLIN };

	if (!link_pending(l) && poll(&p, 1, 10000) == 0)
		fail_msg("nothing arrives");
}

enum vgpu_err
receive_wait(struct link *l, struct frame *f, struct err_text *err)
{
	enum vgpu_err e;

	while ((e = link_receive(l, f, err)) == VGPU_EAGAIN)
		wait_readable(l);
	return e;
}

/* Read n bytes of a streamed body. */
void
body_wait(struct link *l, uint8_t *dst, size_t n)
{
	struct err_text err;
	enum vgpu_err e;
	size_t got;

	while (n > 0) {
		e = link_receive_body(l, dst, n, &got, &err);
		if (e == VGPU_EAGAIN) {
			wait_readable(l);
			continue;
		}
		assert_int_equal(e, VGPU_OK);
		dst += got;
		n -= got;
	}
}

uint8_t
pattern(uint64_t serial, size_t i)
{
	return (uint8_t)(serial * 31 + i * 7 + i / 251);
}

uint8_t *
pattern_new(uint64_t serial, size_t n)
{
	uint8_t *p = malloc(n + 1);
	size_t i;

	assert_non_null(p);
	for (i = 0; i < n; i++)
		p[i] = pattern(serial, i);
	return p;
}

void
check_pattern(const uint8_t *p, uint64_t serial, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i] != pattern(serial, i))
			fail_msg("byte %zu of frame %d differs", i,
			    (int)serial);
}

void
write_raw(const void *p, size_t n)
{
	size_t put;

	assert_int_equal(raw->ops->write(raw, p, n, &put, NULL), VGPU_OK);
	assert_int_equal(put, n);
}

/* A header as it is on the wire. */
void
header(uint8_t out[LINK_HEADER_LEN], uint32_t len, uint16_t type)
{
	memset(out, 0, LINK_HEADER_LEN);
	out[0] = (uint8_t)len;
	out[1] = (uint8_t)(len >> 8);
	out[2] = (uint8_t)(len >> 16);
	out[3] = (uint8_t)(len >> 24);
	out[4] = (uint8_t)type;
	out[5] = (uint8_t)(type >> 8);
}
