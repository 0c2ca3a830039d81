/* SPDX-License-Identifier: ISC */
/*
 * fixture-tls - certificates in a folder of their own, and connections.
 *
 * Both ends of a connection live in one thread: nothing blocks, so a test
 * decides who moves.
 */
#ifndef VGPU_TESTS_FIXTURE_TLS_H
#define VGPU_TESTS_FIXTURE_TLS_H

#include "common/err.h"
#include "transport/cert.h"
#include "transport/sign.h"
#include "transport/tls.h"

#define PATH_LEN 160

struct pki {
	char dir[64];
	char ca[PATH_LEN], ca_key[PATH_LEN];
	char host[PATH_LEN], host_key[PATH_LEN];
	char client[PATH_LEN], client_key[PATH_LEN];
	struct cert_ca *authority;
	struct signer *signer;
	int signatures; /* asked of counting_sign */
	struct tls_ctx *host_ctx, *client_ctx;
};

/* CA, host (localhost, 127.0.0.1), client "lab", and their contexts. */
void pki_init(struct pki *);
void pki_fini(struct pki *);

/* A path in its folder; the same buffer each time. */
const char *pki_path(const struct pki *, const char *name);

/* signer_sign with pki->signer, counted. */
enum vgpu_err counting_sign(void *pki, const struct sign_request *,
    struct sign_reply *);

/* Two connected TCP sockets on loopback. */
void sockets_new(int *client, int *host);

/* What both ends said at the end of a handshake. */
struct shaken {
	struct transport *client, *host;
	enum vgpu_err client_error, host_error;
	struct err_text client_text, host_text;
};

/* Shake hands until both ends are done or have failed. */
void shake(struct shaken *, struct tls_ctx *client, struct tls_ctx *host,
    const char *hostname);

/* The same with two ends that exist. */
void shake_on(struct shaken *);

/* A connection that must work. */
void connection_new(const struct pki *, struct transport **client,
    struct transport **host);

void shaken_close(struct shaken *);

#endif
