/* SPDX-License-Identifier: ISC */
/*
 * listen - the sockets on which clients arrive.
 */
#ifndef VGPU_HOSTD_LISTEN_H
#define VGPU_HOSTD_LISTEN_H

#include "common/err.h"
#include "hostd/conf.h"

struct event_base;
struct listeners;

/* Called with each new connection; takes fd. */
typedef void listen_function(void *arg, int fd);

/*
 * Bind every address of a configuration.  An address that old (may be NULL)
 * listens on already is shared with it, so that one can be freed and the
 * other live.  Connections wait in the kernel until listen_accept.  A Unix
 * socket's file goes when nobody here listens on it any more.
 * VGPU_ECONF: err says which address, why, and what to do.
 */
enum vgpu_err listen_open(struct listeners **, const struct conf *,
    const struct listeners *old, struct err_text *);

void listen_close(struct listeners *);

/* Call fn for each connection from now on. */
enum vgpu_err listen_accept(struct listeners *, struct event_base *,
    listen_function *, void *arg, struct err_text *);

/* The port of the first one that has one; 0: none has. */
unsigned listen_port(const struct listeners *);

/* Write a port to a file, which appears whole or not at all. */
enum vgpu_err listen_write_port(const char *file, unsigned port,
    struct err_text *);

#endif
