/* SPDX-License-Identifier: ISC */
/*
 * content - what scenarios of bodies begin with: a data lane, a context, a queue
 * and a buffer, and bytes to put there.
 */
#ifndef VGPU_TESTS_REPLAY_CONTENT_H
#define VGPU_TESTS_REPLAY_CONTENT_H

#include "hostd/serve.h"
#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu memory 4096; "
#define SIZE 4096u
#define HUGE (300u << 20)	/* above SERVE_STAGING_MAX, never touched */

/* Short enough for a message, and too long for one. */
extern uint8_t content[SIZE], longer[2 * SERVE_INLINE_MAX];

/* Of the host that was begun last; longer fits in the buffer. */
extern uint64_t c, q, b;
void begin_bodies(const char *script);

/* This is in the buffer. */
void expect_content(const void *, size_t size);

#endif
