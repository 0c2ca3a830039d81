/* SPDX-License-Identifier: ISC */
/*
 * lookup - the addresses of a name, in bounded time.
 *
 * The resolver can't be interrupted and may take half a minute, so it runs in
 * a thread of its own, which is left alone at the deadline: it has its own
 * memory and frees it at the end.  Therefore a library with this in it must
 * not be unloaded (it is linked with -z nodelete).  The thread takes no
 * signals, and does not keep the process from ending.
 *
 * The C library's getaddrinfo_a would do the same, but the sanitizers crash in
 * its threads.
 */
#ifndef VGPU_TRANSPORT_LOOKUP_H
#define VGPU_TRANSPORT_LOOKUP_H

#include <netdb.h>
#include <stdint.h>

#include "common/err.h"

/*
 * Look up a name, or convert a numeric address without a thread; the caller
 * frees the list with freeaddrinfo.  VGPU_ETIME: no answer at the deadline.
 * VGPU_ESYS: the resolver's reason.
 */
enum vgpu_err lookup_host(const char *host, uint32_t port, int64_t deadline,
    struct addrinfo **, struct err_text *);

#endif
