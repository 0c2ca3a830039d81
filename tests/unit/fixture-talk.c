/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-talk.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct pki other;

int
worlds_init(void **state)
{
	(void)world_init(state);
	pki_init(&other);
	return 0;
}

int
worlds_fini(void **state)
{
	(void)world_fini(state);
	pki_fini(&other);
	return 0;
}

void
said(const struct err_text *err, const char *words)
{
	if (strstr(err->s, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err->s, words);
	assert_null(strchr(err->s, '\n'));
}

static bool
readable(struct transport *t)
{
	struct pollfd p = { .fd = t->ops->fd(t), .events = POLLIN };

	return t->ops->pending(t) || poll(&p, 1, 5000) > 0;
}

enum vgpu_err
read_wait(struct transport *t, void *p, size_t n, size_t *got,
    struct err_text *err)
{
	enum vgpu_err e;

	while ((e = t->ops->read(t, p, n, got, err)) == VGPU_EAGAIN)
		if (!readable(t))
			fail_msg("nothing to read");
	return e;
}

void
write_all(struct transport *t, const void *p, size_t n)
{
	const char *from = p;
	size_t put;

	for (; n > 0; from += put, n -= put)
		assert_int_equal(t->ops->write(t, from, n, &put, NULL),
		    VGPU_OK);
	assert_int_equal(t->ops->flush(t, NULL), VGPU_OK);
}

void
arrives(struct transport *from, struct transport *to, const char *text)
{
	char got[64];
	size_t n;

	write_all(from, text, strlen(text));
	assert_int_equal(read_wait(to, got, sizeof(got), &n, NULL), VGPU_OK);
	assert_int_equal(n, strlen(text));
	assert_memory_equal(got, text, n);
}

void
close_both(struct transport *a, struct transport *b)
{
	a->ops->close(a, true);
	b->ops->close(b, true);
}
