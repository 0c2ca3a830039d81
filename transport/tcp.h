/* SPDX-License-Identifier: ISC */
/*
 * tcp - connected and listening TCP sockets, in bounded time.
 *
 * All sockets are non-blocking and close-on-exec, send small messages at
 * once, and notice a peer that vanished.
 */
#ifndef VGPU_TRANSPORT_TCP_H
#define VGPU_TRANSPORT_TCP_H

#include <stdint.h>

#include "common/err.h"
#include "transport/url.h"

/*
 * Connect to an address of kind URL_TLS and give the socket to the caller.
 * All addresses of the name are tried, the next one as soon as the one before
 * failed or has not answered for a while; the first that answers wins.
 * VGPU_ETIME: no answer at the deadline.  VGPU_ESYS: the name is unknown or
 * every address refused.
 *
 * The look-up of the name counts too; see lookup.h.
 */
enum vgpu_err tcp_connect(const struct url *, int64_t deadline, int *fd,
    struct err_text *);

/*
 * Listen on a numeric address or name; port 0 lets the kernel choose.  host
 * NULL or "*": on all addresses of the machine.
 */
enum vgpu_err tcp_listen(const char *host, uint32_t port, int *fd,
    struct err_text *);

/*
 * Accept one connection, ready for use.  VGPU_EAGAIN: none is waiting (any
 * more).  VGPU_ESYS: such as out of descriptors; errno is kept.
 */
enum vgpu_err tcp_accept(int listener, int *fd, struct err_text *);

/* The port that a socket is bound to; 0 if it is not TCP. */
uint32_t tcp_port(int fd);

#define TCP_NAME_MAX 64

/* The peer's address ("192.0.2.1:4711"), for logs.  Returns out. */
const char *tcp_peer(int fd, char out[TCP_NAME_MAX]);

#endif
