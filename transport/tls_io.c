/* SPDX-License-Identifier: ISC */
#include "transport/tls_io.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/*
 * tls.c writes nothing while much is gathered, so this is only reached by a
 * peer that makes OpenSSL answer (key updates) and does not read the answers.
 */
#define OUT_MAX ((size_t)1 << 20)

/* What one read from the socket may bring: 16 records of full size. */
#define IN_MAX ((size_t)256 << 10)

/* After a burst the memory is given back. */
#define OUT_KEEP_MAX ((size_t)1 << 20)

/* What is buffered is given first. */
static int
io_take(struct tls_io *io, char *p, size_t n)
{
	if (n > buf_len(&io->in))
		n = buf_len(&io->in);
	memcpy(p, buf_front(&io->in), n);
	buf_take(&io->in, n);
	return (int)n;
}

static int
io_read(BIO *bio, char *p, int n)
{
	struct tls_io *io = BIO_get_data(bio);
	uint8_t *to;
	ssize_t r;

	BIO_clear_retry_flags(bio);
	if (buf_len(&io->in) > 0)
		return io_take(io, p, (size_t)n);
	io->dry = false;
	if ((to = buf_reserve(&io->in, IN_MAX)) == NULL) {
		io->error = ENOMEM;
		return -1;
	}
	do
		r = recv(io->fd, to, IN_MAX, 0);
	while (r < 0 && errno == EINTR);
	if (r > 0) {
		buf_commit(&io->in, (size_t)r);
		return io_take(io, p, (size_t)n);
	}
	if (r == 0) {
		io->eof = true;
	} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
		io->dry = true;
		BIO_set_retry_read(bio);
	} else {
		io->error = errno;
	}
	return r == 0 ? 0 : -1;
}

static int
io_write(BIO *bio, const char *p, int n)
{
	struct tls_io *io = BIO_get_data(bio);

	BIO_clear_retry_flags(bio);
	if (buf_len(&io->out) > OUT_MAX)
		io->error = ENOBUFS;
	if (io->error != 0)
		return -1;
	buf_append(&io->out, p, (size_t)n);
	if (io->out.failed) {
		io->error = ENOMEM;
		return -1;
	}
	return n;
}

static long
io_ctrl(BIO *bio, int command, long n, void *p)
{
	(void)bio;
	(void)n;
	(void)p;
	return command == BIO_CTRL_FLUSH ? 1 : 0;
}

BIO_METHOD *
tls_io_method(void)
{
	BIO_METHOD *m = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "vgpu socket");

	if (m == NULL || BIO_meth_set_read(m, io_read) != 1 ||
	    BIO_meth_set_write(m, io_write) != 1 ||
	    BIO_meth_set_ctrl(m, io_ctrl) != 1) {
		BIO_meth_free(m);
		return NULL;
	}
	return m;
}

BIO *
tls_io_bio(const BIO_METHOD *method, struct tls_io *io)
{
	BIO *bio = BIO_new(method);

	if (bio == NULL)
		return NULL;
	BIO_set_data(bio, io);
	BIO_set_init(bio, 1);
	return bio;
}

enum vgpu_err
tls_io_flush(struct tls_io *io, struct err_text *err)
{
	ssize_t r;

	while (buf_len(&io->out) > 0) {
		r = send(io->fd, buf_front(&io->out), buf_len(&io->out),
		    MSG_NOSIGNAL);
		if (r >= 0)
			buf_take(&io->out, (size_t)r);
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			return VGPU_EAGAIN;
		else if (errno != EINTR) {
			io->error = errno;
			return tls_io_error(io, err);
		}
	}
	if (io->out.size > OUT_KEEP_MAX)
		buf_fini(&io->out);
	return VGPU_OK;
}

enum vgpu_err
tls_io_error(const struct tls_io *io, struct err_text *err)
{
	if (io->error == 0 || io->error == EPIPE || io->error == ECONNRESET)
		return err_set(err, VGPU_ECLOSED,
		    "the peer closed the connection without a farewell");
	if (io->error == ENOMEM)
		return err_set(err, VGPU_ENOMEM, "no memory for TLS records");
	if (io->error == ENOBUFS)
		return err_set(err, VGPU_ETLS,
		    "the peer asks for answers and does not read them");
	return err_set(err, VGPU_ECLOSED, "the connection broke: %s",
	    strerror(io->error));
}
