/* SPDX-License-Identifier: ISC */
/*
 * connect - from an address to a session: TCP, TLS, hello; and its lanes.
 *
 * All within the configured time (2 s unless told otherwise), so that a host
 * that is down does not hold up programs that have other platforms.
 */
#ifndef VGPU_ICD_CONNECT_H
#define VGPU_ICD_CONNECT_H

#include "common/err.h"

struct client;
struct link;

/*
 * Connect by the client's settings and fill in control, tls, url, session and
 * the platform.  VGPU_ECONF: bad address or certificate files.  VGPU_ETIME,
 * VGPU_ESYS: the host is not there.  VGPU_ETLS, VGPU_EAUTH: it is another, or
 * does not want us.  VGPU_EVERSION: versions do not match; text names both.
 */
enum vgpu_err connect_open(struct client *, struct err_text *);

/* Connect a further lane of the session and join it. */
enum vgpu_err connect_lane(struct client *, struct link **,
    struct err_text *);

#endif
