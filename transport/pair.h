/* SPDX-License-Identifier: ISC */
/*
 * pair - two connected transports in one process, for tests and fuzzers.
 *
 * The bytes go through a Unix socketpair, so poll works as with a network;
 * nothing is encrypted.
 */
#ifndef VGPU_TRANSPORT_PAIR_H
#define VGPU_TRANSPORT_PAIR_H

#include "common/err.h"
#include "transport/transport.h"

/* Make two ends; the peer of the second, a host say, is called name. */
enum vgpu_err pair_new(struct transport **client, struct transport **host,
    const char *name, struct err_text *);

/* Move at most n bytes in each read and in each write of this end. */
void pair_set_chunk(struct transport *, size_t n);

#endif
