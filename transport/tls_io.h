/* SPDX-License-Identifier: ISC */
/*
 * tls_io - between OpenSSL and a socket.
 *
 * What OpenSSL writes is gathered here, always accepted, and sent by
 * tls_io_flush in one system call for many records.  What it reads is read
 * ahead here as well: OpenSSL's own read-ahead moves all that it has to the
 * front of its buffer for each record (ssl3_read_n), eight times the bytes.
 * No SIGPIPE, no blocking.
 */
#ifndef VGPU_TRANSPORT_TLS_IO_H
#define VGPU_TRANSPORT_TLS_IO_H

#include <stdbool.h>

#include <openssl/bio.h>

#include "common/buf.h"
#include "common/err.h"

struct tls_io {
	int fd;		/* borrowed */
	struct buf out;
	struct buf in;	/* read ahead */
	bool dry;	/* the last read found nothing yet */
	bool eof;	/* the peer closed */
	int error;	/* errno of a read or write that failed, or 0 */
};

/* The table of functions of the BIO below; the caller frees it last. */
BIO_METHOD *tls_io_method(void);

/* A BIO over io (borrowed); NULL: no memory. */
BIO *tls_io_bio(const BIO_METHOD *, struct tls_io *);

/* Send what is gathered.  VGPU_EAGAIN: some is left. */
enum vgpu_err tls_io_flush(struct tls_io *, struct err_text *);

/* The error of a socket that gave eof or error. */
enum vgpu_err tls_io_error(const struct tls_io *, struct err_text *);

#endif
