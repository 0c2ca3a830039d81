/* SPDX-License-Identifier: ISC */
/*
 * floor_tls - TLS 1.3 of OpenSSL on a floor_link, with a certificate made for
 * the moment.  Not checked by the other side: that is no part of the floor.
 */
#ifndef BENCH_FLOOR_TLS_H
#define BENCH_FLOOR_TLS_H

#include <stdbool.h>

struct floor_link;

/* Handshake; fill ssl and out. */
void floor_tls_open(struct floor_link *, bool server, bool stream);

#endif
