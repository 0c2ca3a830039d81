/* SPDX-License-Identifier: ISC */
#define _DEFAULT_SOURCE /* endian.h */
#include "common/coding.h"

#include <endian.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "common/clock.h"

#define LEVEL 1
#define PATTERN_MIN 64		/* shorter ones are left as they are */
#define PACK_MIN 1024
#define SPEED_GUESS 400e6	/* bytes a second, until it was measured */
#define RATE_FAST 250e6		/* no packing above, bytes a second */
#define PAUSE_MAX 31		/* pieces */
/*
 * So many pieces are packed until one is sent as it is, to see whether the
 * connection is still slow; then twice as many.
 */
#define PROBE_MIN 8
#define PROBE_MAX 256

struct coding {
	pthread_mutex_t lock;	/* of what coding_encode uses */
	ZSTD_CCtx *packer;
	void *packed;
	size_t packed_size;
	double speed;		/* of packing, bytes a second */
	unsigned pause, pause_next;	/* pieces not to try */
	unsigned in_row, in_row_max;	/* packed ones, and when to probe */

	ZSTD_DCtx *unpacker;
	void *scratch;
};

struct coding *
coding_new(void)
{
	struct coding *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	pthread_mutex_init(&c->lock, NULL);
	c->speed = SPEED_GUESS;
	c->in_row_max = PROBE_MIN;
	return c;
}

void
coding_free(struct coding *c)
{
	if (c == NULL)
		return;
	ZSTD_freeCCtx(c->packer);
	ZSTD_freeDCtx(c->unpacker);
	free(c->packed);
	free(c->scratch);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* ---- patterns ------------------------------------------------------------ */

static bool
is_pattern(const uint8_t *p, size_t n)
{
	return n >= PATTERN_MIN &&
	    memcmp(p, p + 8, PATTERN_MIN - 8) == 0 &&
	    memcmp(p, p + 8, n - 8) == 0;
}

void
coding_fill(void *dst, size_t n, uint64_t at, uint64_t pattern)
{
	const uint64_t le = htole64(pattern);
	uint8_t word[8], *p = dst;
	size_t i, done, more;

	memcpy(word, &le, sizeof(word));
	if (pattern == (pattern & 0xff) * UINT64_C(0x0101010101010101)) {
		memset(dst, word[0], n);
		return;
	}
	for (i = 0; i < n && i < sizeof(word); i++)
		p[i] = word[(at + i) % sizeof(word)];
	for (done = i; done < n; done += more) {
		more = done < CODING_MAX / 16 ? done : CODING_MAX / 16;
		if (more > n - done)
			more = n - done;
		memcpy(p + done, p, more);
	}
}

/* ---- packing ------------------------------------------------------------- */

/* With the lock held. */
static bool
make_packer(struct coding *c)
{
	if (c->packer != NULL)
		return true;
	c->packed_size = ZSTD_compressBound(CODING_MAX);
	if (c->packed == NULL)
		c->packed = malloc(c->packed_size);
	if (c->packed != NULL)
		c->packer = ZSTD_createCCtx();
	return c->packer != NULL;
}

/*
 * Pack, and see whether that is faster than sending all: packing and sending
 * take turns.
 */
static bool
pack(struct coding *c, const void *p, size_t n, uint64_t rate,
    struct coded *out)
{
	int64_t before = clock_ns();
	size_t len = ZSTD_compressCCtx(c->packer, c->packed, c->packed_size, p,
	    n, LEVEL);
	double took = (double)(clock_ns() - before) * 1e-9, ratio, speed;

	if (ZSTD_isError(len))
		return false;
	speed = (double)n / (took > 1e-9 ? took : 1e-9);
	ratio = (double)len / (double)n;
	c->speed += (speed - c->speed) / 8;
	if ((double)rate >= c->speed * (1 - ratio)) {
		c->pause = c->pause_next;
		c->pause_next = c->pause_next * 2 + 1;
		if (c->pause_next > PAUSE_MAX)
			c->pause_next = PAUSE_MAX;
		return false;
	}
	c->pause_next = 0;
	c->in_row++;
	*out = (struct coded){ .kind = CODING_PACKED, .packed = c->packed,
		.packed_n = len };
	return true;
}

/* Is it this piece's turn? */
static bool
may_pack(struct coding *c, uint64_t rate)
{
	/* Half is what the better bodies become. */
	if ((double)rate >= c->speed / 2 || (double)rate >= RATE_FAST) {
		c->in_row = 0;
		c->in_row_max = PROBE_MIN;
		return false;
	}
	if (c->pause > 0) {
		c->pause--;
		return false;
	}
	if (c->in_row < c->in_row_max)
		return true;
	c->in_row = 0;
	if (c->in_row_max < PROBE_MAX)
		c->in_row_max *= 2;
	return false;
}

/* Locks where it is true. */
static bool
try_pack(struct coding *c, const void *p, size_t n, uint64_t rate,
    struct coded *out)
{
	if (pthread_mutex_trylock(&c->lock) != 0)
		return false;
	if (may_pack(c, rate) && make_packer(c) && pack(c, p, n, rate, out))
		return true;
	pthread_mutex_unlock(&c->lock);
	return false;
}

void
coding_encode(struct coding *c, const void *p, size_t n, uint64_t rate,
    struct coded *out)
{
	*out = (struct coded){ .kind = CODING_PLAIN };
	if (c == NULL || n > CODING_MAX)
		return;
	if (is_pattern(p, n)) {
		out->kind = CODING_PATTERN;
		memcpy(&out->pattern, p, sizeof(out->pattern));
		out->pattern = le64toh(out->pattern);
	} else if (rate != 0 && n >= PACK_MIN) {
		(void)try_pack(c, p, n, rate, out);
	}
}

void
coding_done(struct coding *c, const struct coded *coded)
{
	if (coded->kind == CODING_PACKED)
		pthread_mutex_unlock(&c->lock);
}

/* ---- unpacking ----------------------------------------------------------- */

enum vgpu_err
coding_unpack(struct coding *c, void *dst, size_t n, const void *packed,
    size_t packed_n, struct err_text *err)
{
	size_t got;

	if (c->unpacker == NULL && (c->unpacker = ZSTD_createDCtx()) == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory to unpack a body");
	got = ZSTD_decompressDCtx(c->unpacker, dst, n, packed, packed_n);
	if (ZSTD_isError(got))
		return err_set(err, VGPU_EPROTO,
		    "a packed body can't be unpacked");
	return got == n ? VGPU_OK : err_set(err, VGPU_EPROTO,
	    "a packed body has %zu bytes, expected %zu", got, n);
}

void *
coding_scratch(struct coding *c)
{
	if (c->scratch == NULL)
		c->scratch = malloc(CODING_MAX);
	return c->scratch;
}
