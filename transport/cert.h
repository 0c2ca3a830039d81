/* SPDX-License-Identifier: ISC */
/*
 * cert - makes the certificates of a private pool of hosts and clients.
 *
 * One CA signs all.  A host's certificate carries the names and addresses
 * that clients use for it; a client's certificate carries the name of its
 * tenant, and that name is the client's whole identity.  Keys are EC P-256.
 *
 * Files are written beside their place and renamed into it, so that a reader
 * sees the old file or the new one; keys have mode 0600, certificates 0644.
 */
#ifndef VGPU_TRANSPORT_CERT_H
#define VGPU_TRANSPORT_CERT_H

#include <stddef.h>
#include <time.h>

#include "common/err.h"

#define CERT_TENANT_MAX 64 /* bytes of a name (RFC 5280, ub-common-name) */

struct cert_ca;

/* From when until when a certificate is valid. */
struct cert_validity {
	time_t from, to;
};

/* Where a certificate and its private key go, PEM. */
struct cert_files {
	const char *cert, *key;
};

/*
 * From five minutes ago, for clocks that differ a little, until the given
 * number of seconds from now.
 */
struct cert_validity cert_valid_for(long seconds);

/* Make a CA of the given name, in memory. */
enum vgpu_err cert_ca_new(struct cert_ca **, const char *name,
    struct cert_validity, struct err_text *);

/* Read a CA from its files. */
enum vgpu_err cert_ca_open(struct cert_ca **, const struct cert_files *,
    struct err_text *);

/* Write a CA; files->key may be NULL for a CA that is thrown away. */
enum vgpu_err cert_ca_write(const struct cert_ca *,
    const struct cert_files *, struct err_text *);

void cert_ca_free(struct cert_ca *);

/*
 * Make and write the certificate of a host that clients reach under the n
 * given DNS names and numeric addresses.  VGPU_ECONF: a name is not one.
 */
enum vgpu_err cert_write_host(const struct cert_ca *,
    const char *const *names, size_t n, struct cert_validity,
    const struct cert_files *, struct err_text *);

/*
 * Make and write a client's certificate for a tenant.  VGPU_ECONF: the name
 * is empty, too long or not printable ASCII.
 */
enum vgpu_err cert_write_client(const struct cert_ca *, const char *tenant,
    struct cert_validity, const struct cert_files *, struct err_text *);

#endif
