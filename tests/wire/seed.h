/* SPDX-License-Identifier: ISC */
/*
 * seed - made-up messages, for the tests of the wire.
 *
 * From a descriptor table alone a struct is filled so that it may be encoded,
 * so a message that is added to the description is tested without a new line
 * here.  What the struct points to lives until the next seed_fill or
 * seed_as_sent of another struct reuses it: there is one arena, emptied by
 * seed_forget.
 */
#ifndef VGPU_TESTS_WIRE_SEED_H
#define VGPU_TESTS_WIRE_SEED_H

#include <stdbool.h>

#include "protocol/codec.h"

#define SEED_SLOTS 64	/* of the largest struct of a message or reply */

enum seed_variant {
	SEED_LEAST,	/* nulls, empty arrays and strings, zeros */
	SEED_TYPICAL,
	SEED_EXTREME,	/* largest numbers, awkward lengths */
	SEED_VARIANTS
};

void seed_forget(void);

/* Fill a struct of SEED_SLOTS slots. */
void seed_fill(uint64_t *msg, const struct field *, unsigned count,
    enum seed_variant);

/*
 * Turn what codec_decode filled into what codec_encode takes: lists and kernel
 * arguments become arrays.  False: something lies outside of the body.
 */
bool seed_as_sent(uint64_t *msg, const struct field *, unsigned count,
    const void *body, size_t len);

/* Do two structs, both as codec_encode takes them, say the same? */
bool seed_equal(const uint64_t *, const uint64_t *, const struct field *,
    unsigned count);

#endif
