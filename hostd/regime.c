/* SPDX-License-Identifier: ISC */
#include "hostd/regime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/infoset.h"
#include "hostd/dirs.h"
#include "hostd/listen.h"
#include "hostd/memfd.h"
#include "hostd/setup.h"
#include "transport/tls_ctx.h"

#define PEM_MAX 65536

static void
complain(struct buf *messages, const char *file, const char *why)
{
	buf_append(messages, file, strlen(file));
	buf_append(messages, ": ", 2);
	buf_append(messages, why, strlen(why));
	buf_append(messages, "\n", 1);
}

static enum vgpu_err
never_sign(void *arg, const struct sign_request *request,
    struct sign_reply *reply)
{
	(void)arg;
	(void)request;
	(void)reply;
	return VGPU_EAUTH;
}

/* Everything that a session will do with these files, done once to see. */
static enum vgpu_err
check_tls(const struct conf *c, struct err_text *text)
{
	const struct tls_files files = { c->ca, c->certificate, NULL };
	struct tls_ctx *tls;
	enum vgpu_err rc;

	rc = tls_ctx_new_host(&tls, &files, never_sign, NULL, text);
	if (rc == VGPU_OK)
		tls_ctx_free(tls);
	return rc;
}

static enum vgpu_err
open_tls_files(struct regime *r, struct err_text *text)
{
	const struct conf *c = r->conf;
	enum vgpu_err rc;

	if ((rc = check_tls(c, text)) != VGPU_OK ||
	    (rc = signer_open(&r->signer, c->key, c->certificate, text)) !=
	    VGPU_OK ||
	    (rc = memfd_read_file(c->ca, PEM_MAX, &r->ca, text)) != VGPU_OK)
		return rc;
	return memfd_read_file(c->certificate, PEM_MAX, &r->certificate,
	    text);
}

static enum vgpu_err
open_files(struct regime *r, struct err_text *text)
{
	const struct conf *c = r->conf;
	enum vgpu_err rc;

	if (conf_uses_tls(c) && (rc = open_tls_files(r, text)) != VGPU_OK)
		return rc;
	if ((rc = privsep_lookup(c->session_user, &r->user, text)) != VGPU_OK)
		return rc;
	return dirs_check(c->state_dir, &r->user, text);
}

enum vgpu_err
regime_new(struct regime **out, const struct conf_source *source,
    struct buf *messages)
{
	struct regime *r = calloc(1, sizeof(*r));
	struct err_text text = { "out of memory" };
	enum vgpu_err rc;

	if (r == NULL) {
		complain(messages, source->file, text.s);
		return VGPU_ENOMEM;
	}
	r->setup = -1;
	buf_init(&r->ca);
	buf_init(&r->certificate);
	rc = conf_load(source, &r->conf, messages);
	if (rc == VGPU_OK && (rc = open_files(r, &text)) != VGPU_OK)
		complain(messages, source->file, text.s);
	if (rc == VGPU_OK)
		*out = r;
	else
		regime_free(r);
	return rc;
}

static void
copy_buf(struct buf *to, struct buf *from)
{
	buf_append(to, buf_front(from), buf_len(from));
}

enum vgpu_err
regime_again(struct regime **out, struct regime *from)
{
	struct regime *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return VGPU_ENOMEM;
	r->setup = -1;
	buf_init(&r->ca);
	buf_init(&r->certificate);
	r->origin = from->origin != NULL ? from->origin : from;
	r->origin->heirs++;
	r->conf = from->conf;
	r->signer = from->signer;
	r->user = from->user;
	copy_buf(&r->ca, &from->ca);
	copy_buf(&r->certificate, &from->certificate);
	if (r->ca.failed || r->certificate.failed) {
		regime_free(r);
		return VGPU_ENOMEM;
	}
	*out = r;
	return VGPU_OK;
}

enum vgpu_err
regime_set_pool(struct regime *r, struct pool *pool, struct err_text *text)
{
	struct infoset setup, bytes;

	r->pool = pool;
	infoset_init(&setup);
	infoset_init(&bytes);
	pool_encode(pool, &bytes);
	infoset_put(&setup, SETUP_USER, &r->user, sizeof(r->user));
	infoset_put_u32(&setup, SETUP_LOG_LEVEL, r->conf->log_level);
	infoset_put_text(&setup, SETUP_STATE_DIR, r->conf->state_dir);
	if (r->signer != NULL) {
		infoset_put(&setup, SETUP_CA, buf_front(&r->ca),
		    buf_len(&r->ca));
		infoset_put(&setup, SETUP_CERTIFICATE,
		    buf_front(&r->certificate), buf_len(&r->certificate));
	}
	infoset_put_u32(&setup, SETUP_HANDSHAKE_MS,
	    r->conf->handshake_timeout * 1000);
	infoset_put_set(&setup, SETUP_POOL, &bytes);
	infoset_put_u64(&setup, SETUP_BUILD_CACHE, conf_build_cache(r->conf));
	if (infoset_failed(&bytes))
		err_set(text, VGPU_ENOMEM, "out of memory");
	else
		r->setup = setup_write(&setup, text);
	infoset_fini(&setup);
	infoset_fini(&bytes);
	return r->setup < 0 ? VGPU_ESYS : VGPU_OK;
}

void
regime_free(struct regime *r)
{
	if (r == NULL)
		return;
	listen_close(r->listeners);
	if (r->origin == NULL)
		signer_close(r->signer);
	pool_free(r->pool);
	buf_fini(&r->ca);
	buf_fini(&r->certificate);
	if (r->setup >= 0)
		close(r->setup);
	if (r->origin == NULL)
		conf_free(r->conf);
	else
		r->origin->heirs--;
	free(r);
}
