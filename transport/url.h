/* SPDX-License-Identifier: ISC */
/*
 * url - the address of a host, as people write it.
 *
 *	vgpu://host:9443, vgpu://[2001:db8::1], host, host:9443
 *	vgpu+unix:/run/vgpu/hostd.sock
 *	vgpu+vsock://2:9443
 *
 * Nothing is looked up here.
 */
#ifndef VGPU_TRANSPORT_URL_H
#define VGPU_TRANSPORT_URL_H

#include <stdint.h>

#include "common/err.h"

#define URL_PORT 9443	  /* where a host listens unless told otherwise */
#define URL_HOST_MAX 256  /* a name or numeric address, with its NUL */
#define URL_PATH_MAX 108  /* sizeof(sun_path), with its NUL */
#define URL_TEXT_MAX 320  /* an address as text, with its NUL */

enum url_kind { URL_TLS, URL_UNIX, URL_VSOCK };

struct url {
	enum url_kind kind;
	char host[URL_HOST_MAX]; /* URL_TLS: without brackets */
	char path[URL_PATH_MAX]; /* URL_UNIX: absolute */
	uint32_t cid;		 /* URL_VSOCK */
	uint32_t port;		 /* URL_TLS: 1 to 65535; URL_VSOCK: any */
};

/* Parse an address.  VGPU_ECONF: err says what is wrong with it. */
enum vgpu_err url_parse(struct url *, const char *text, struct err_text *);

/* Write an address in full ("vgpu://[::1]:9443") and return out. */
const char *url_format(const struct url *, char out[URL_TEXT_MAX]);

#endif
