/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* mkostemp */
#include "transport/cert_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/pem.h>

/* A new file beside the one to be replaced; mkostemp gives it mode 0600. */
static FILE *
open_beside(const char *file, char *beside, size_t size, mode_t mode)
{
	int fd, error;
	FILE *f;

	if (snprintf(beside, size, "%s.XXXXXX", file) >= (int)size) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	if ((fd = mkostemp(beside, O_CLOEXEC)) < 0)
		return NULL;
	if (fchmod(fd, mode) == 0 && (f = fdopen(fd, "w")) != NULL)
		return f;
	error = errno;
	close(fd);
	unlink(beside);
	errno = error;
	return NULL;
}

static enum vgpu_err
write_file(const char *file, mode_t mode, const EVP_PKEY *key, const X509 *x,
    struct err_text *err)
{
	char beside[PATH_MAX];
	FILE *f = open_beside(file, beside, sizeof(beside), mode);
	bool ok;
	int error;

	if (f == NULL)
		return err_sys(err, "cannot write \"%s\"", file);
	errno = EIO; /* unless the C library knows better */
	ok = (key != NULL ? PEM_write_PKCS8PrivateKey(f, key, NULL, NULL, 0,
	    NULL, NULL) : PEM_write_X509(f, x)) == 1;
	ok = fclose(f) == 0 && ok;
	if (ok && rename(beside, file) == 0)
		return VGPU_OK;
	error = errno;
	unlink(beside);
	errno = error;
	return err_sys(err, "cannot write \"%s\"", file);
}

enum vgpu_err
cert_file_key(const char *file, const EVP_PKEY *key, struct err_text *err)
{
	return write_file(file, 0600, key, NULL, err);
}

enum vgpu_err
cert_file_cert(const char *file, const X509 *x, struct err_text *err)
{
	return write_file(file, 0644, NULL, x, err);
}
