/* SPDX-License-Identifier: ISC */
/*
 * fixture-link - two connected links, over a pair, TLS or a local connection,
 * and frames whose bytes follow from their serial.
 */
#ifndef VGPU_TESTS_FIXTURE_LINK_H
#define VGPU_TESTS_FIXTURE_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "transport/link.h"
#include "transport/transport.h"

#define FRAME_MAX ((size_t)64 << 20)
#define STREAMED 9 /* a type whose bodies are streamed */
#define PREFIX 16

/* Two links; with link_setup_raw, only a, and b's end without a link. */
extern struct link *a, *b;
extern struct transport *raw;

/* For cmocka; the group has the certificates for link_setup_tls. */
int link_group_setup(void **state);
int link_group_teardown(void **state);
int link_setup_raw(void **state);
int link_setup_pair(void **state);
int link_setup_tls(void **state);
int link_setup_local(void **state);
int link_teardown(void **state);

#define RAW(name)                                                             \
	cmocka_unit_test_setup_teardown(name, link_setup_raw, link_teardown)
#define PAIR(name)                                                            \
	cmocka_unit_test_setup_teardown(name, link_setup_pair, link_teardown)
#define ALL(name)                                                             \
	{ #name "_over_tls", name, link_setup_tls, link_teardown, NULL },     \
	{ #name "_over_local", name, link_setup_local, link_teardown, NULL }

/* Queue a frame with flags type + 1; it must work. */
void send_frame(struct link *, uint16_t type, uint64_t serial,
    const void *body, size_t n);

/* Sleep until something may be received. */
void wait_readable(struct link *);

/* link_receive, waiting. */
enum vgpu_err receive_wait(struct link *, struct frame *, struct err_text *);

/* Read n bytes of a streamed body. */
void body_wait(struct link *, uint8_t *dst, size_t n);

/* Byte i of the body of a frame; n of them, allocated; and the check. */
uint8_t pattern(uint64_t serial, size_t i);
uint8_t *pattern_new(uint64_t serial, size_t n);
void check_pattern(const uint8_t *, uint64_t serial, size_t n);

/* Write to raw. */
void write_raw(const void *, size_t n);

/* A header as it is on the wire. */
void header(uint8_t out[LINK_HEADER_LEN], uint32_t len, uint16_t type);

#endif
