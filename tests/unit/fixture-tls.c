/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-tls.h"

#include <dirent.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "transport/tcp.h"

static const char *const host_names[] = { "localhost", "127.0.0.1" };

static void
name_file(const struct pki *p, char out[PATH_LEN], const char *name)
{
	snprintf(out, PATH_LEN, "%.60s/%.90s", p->dir, name);
}

const char *
pki_path(const struct pki *p, const char *name)
{
	static char path[PATH_LEN];

	name_file(p, path, name);
	return path;
}

enum vgpu_err
counting_sign(void *arg, const struct sign_request *request,
    struct sign_reply *reply)
{
	struct pki *p = arg;

	p->signatures++;
	return signer_sign(p->signer, request, reply);
}

static void
pki_write(struct pki *p)
{
	struct cert_validity v = cert_valid_for(3600);
	struct err_text err = { "" };

	assert_int_equal(cert_ca_new(&p->authority, "test CA", v, &err),
	    VGPU_OK);
	assert_int_equal(cert_ca_write(p->authority, &(struct cert_files) {
	    p->ca, p->ca_key }, &err), VGPU_OK);
	assert_int_equal(cert_write_host(p->authority, host_names, 2, v,
	    &(struct cert_files) { p->host, p->host_key }, &err), VGPU_OK);
	assert_int_equal(cert_write_client(p->authority, "lab", v,
	    &(struct cert_files) { p->client, p->client_key }, &err), VGPU_OK);
}

void
pki_init(struct pki *p)
{
	struct err_text err = { "" };
	const char *tmp = getenv("TMPDIR");

	memset(p, 0, sizeof(*p));
	snprintf(p->dir, sizeof(p->dir), "%.40s/vgpu-test-XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	assert_non_null(mkdtemp(p->dir));
	name_file(p, p->ca, "ca.pem");
	name_file(p, p->ca_key, "ca.key");
	name_file(p, p->host, "host.pem");
	name_file(p, p->host_key, "host.key");
	name_file(p, p->client, "client.pem");
	name_file(p, p->client_key, "client.key");
	pki_write(p);
	if (signer_open(&p->signer, p->host_key, p->host, &err) != VGPU_OK ||
	    tls_ctx_new_host(&p->host_ctx, &(struct tls_files) {
	    .ca = p->ca, .cert = p->host }, counting_sign, p, &err) !=
	    VGPU_OK ||
	    tls_ctx_new_client(&p->client_ctx, &(struct tls_files) {
	    .ca = p->ca, .cert = p->client, .key = p->client_key }, &err) !=
	    VGPU_OK)
		fail_msg("%s", err.s);
}

void
pki_fini(struct pki *p)
{
	struct dirent *entry;
	DIR *dir = opendir(p->dir);

	tls_ctx_free(p->host_ctx);
	tls_ctx_free(p->client_ctx);
	signer_close(p->signer);
	cert_ca_free(p->authority);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			unlink(pki_path(p, entry->d_name));
	closedir(dir);
	rmdir(p->dir);
}

void
sockets_new(int *client, int *host)
{
	struct url u = { .kind = URL_TLS, .host = "127.0.0.1" };
	struct pollfd ready = { .events = POLLIN };
	struct err_text err = { "" };
	int listener;

	assert_int_equal(tcp_listen("127.0.0.1", 0, &listener, &err),
	    VGPU_OK);
	u.port = tcp_port(listener);
	assert_int_equal(tcp_connect(&u, clock_after_ms(5000), client, &err),
	    VGPU_OK);
	ready.fd = listener;
	assert_int_equal(poll(&ready, 1, 5000), 1);
	assert_int_equal(tcp_accept(listener, host, &err), VGPU_OK);
	close(listener);
}

static void
wait_for(struct pollfd p[2], const bool open[2])
{
	struct pollfd waiting[2];
	nfds_t n = 0;
	int i;

	for (i = 0; i < 2; i++)
		if (open[i])
			waiting[n++] = p[i];
	if (n > 0 && poll(waiting, n, 5000) == 0)
		fail_msg("handshake stands still");
}

void
shake_on(struct shaken *s)
{
	struct pollfd p[2] = { { .fd = s->client->ops->fd(s->client) },
		{ .fd = s->host->ops->fd(s->host) } };
	enum transport_want want = TRANSPORT_WANT_READ;
	bool open[2] = { true, true };

	while (open[0] || open[1]) {
		if (open[0]) {
			s->client_error = tls_handshake(s->client, &want,
			    &s->client_text);
			open[0] = s->client_error == VGPU_EAGAIN;
			p[0].events = want == TRANSPORT_WANT_READ ? POLLIN : POLLOUT;
		}
		if (open[1]) {
			s->host_error = tls_handshake(s->host, &want,
			    &s->host_text);
			open[1] = s->host_error == VGPU_EAGAIN;
			p[1].events = want == TRANSPORT_WANT_READ ? POLLIN : POLLOUT;
		}
		wait_for(p, open);
	}
}

void
shake(struct shaken *s, struct tls_ctx *client, struct tls_ctx *host,
    const char *hostname)
{
	struct err_text err = { "" };
	int fd[2];

	memset(s, 0, sizeof(*s));
	sockets_new(&fd[0], &fd[1]);
	assert_int_equal(tls_new_client(&s->client, client, fd[0], hostname,
	    &err), VGPU_OK);
	assert_int_equal(tls_new_host(&s->host, host, fd[1], &err), VGPU_OK);
	shake_on(s);
}

void
connection_new(const struct pki *p, struct transport **client,
    struct transport **host)
{
	struct shaken s;

	shake(&s, p->client_ctx, p->host_ctx, "localhost");
	if (s.client_error != VGPU_OK)
		fail_msg("client: %s", s.client_text.s);
	if (s.host_error != VGPU_OK)
		fail_msg("host: %s", s.host_text.s);
	*client = s.client;
	*host = s.host;
}

void
shaken_close(struct shaken *s)
{
	s->client->ops->close(s->client, true);
	s->host->ops->close(s->host, true);
}
