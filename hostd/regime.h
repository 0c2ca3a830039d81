/* SPDX-License-Identifier: ISC */
/*
 * regime - a configuration, with all that was made from it.
 *
 * A reload makes a whole new one beside the old, and swaps them when it is
 * complete; sessions live on under the one that they began with.
 */
#ifndef VGPU_HOSTD_REGIME_H
#define VGPU_HOSTD_REGIME_H

#include <sys/queue.h>

#include "common/buf.h"
#include "common/err.h"
#include "hostd/conf.h"
#include "hostd/pool.h"
#include "hostd/privsep.h"
#include "transport/sign.h"

struct listeners;

struct regime {
	LIST_ENTRY(regime) entry;	/* for its owner */
	struct conf *conf;
	struct signer *signer;		/* holds the private key; NULL: none */
	struct privsep_user user;
	struct buf ca, certificate;	/* PEM, as they were; empty: none */
	struct listeners *listeners;	/* its owner's; closed with it */
	struct pool *pool;		/* NULL until regime_set_pool */
	int setup;			/* for sessions; -1 until then */
	struct regime *origin;		/* owns conf and signer; NULL: itself */
	unsigned heirs;			/* regimes whose origin it is */
};

/*
 * Read a configuration and all files that it names.  VGPU_ECONF: messages has
 * the lines that say why.
 */
enum vgpu_err regime_new(struct regime **, const struct conf_source *,
    struct buf *messages);

/*
 * The same configuration again, for another pool; the listeners stay with the
 * old one, which must not be freed while there are heirs.  VGPU_ENOMEM.
 */
enum vgpu_err regime_again(struct regime **, struct regime *);

/* Complete it with its pool, which it takes also on failure. */
enum vgpu_err regime_set_pool(struct regime *, struct pool *,
    struct err_text *);

void regime_free(struct regime *);

#endif
