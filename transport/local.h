/* SPDX-License-Identifier: ISC */
/*
 * local - a transport between processes of one machine, over a connected Unix
 * stream socket.
 *
 * Nothing is encrypted, as nobody but the kernel carries it.  Each end asks
 * the kernel which user the other one is.  The client makes the token and
 * sends it in the handshake; only the two ends ever see it.
 *
 * After the client's preamble (preamble.h) the client sends 40 bytes: what it
 * can do (u64, little-endian) and the token; the host answers with 8: what of
 * that both can.  Nothing is to be chosen yet, so both are 0.
 */
#ifndef VGPU_TRANSPORT_LOCAL_H
#define VGPU_TRANSPORT_LOCAL_H

#include <sys/types.h>

#include "common/err.h"
#include "transport/transport.h"

/*
 * A client's end on a connected socket.  The host must run as root, as this
 * process's user, or as trusted ((uid_t)-1: no further one): else VGPU_EAUTH,
 * and nothing was sent.  Takes fd on success.
 */
enum vgpu_err local_new_client(struct transport **, int fd, uid_t trusted,
    struct err_text *);

/* A host's end.  Which tenant that user is, its owner decides. */
enum vgpu_err local_new_host(struct transport **, int fd, struct err_text *);

#endif
