/* SPDX-License-Identifier: ISC */
#include "transport/url.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"

/* Text for an error: what people typed, escaped and cut. */
struct shown {
	char s[200];
};

static struct shown
show(const char *text, size_t n)
{
	struct shown out;

	log_escape(out.s, sizeof(out.s), text, n);
	return out;
}

/* Decimal number of n characters, at most max; no sign, no spaces. */
static bool
parse_number(const char *s, size_t n, uint32_t max, uint32_t *out)
{
	uint64_t v = 0;
	size_t i;

	if (n == 0 || n > 10)
		return false;
	for (i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		v = v * 10 + (uint64_t)(s[i] - '0');
	}
	if (v > max)
		return false;
	*out = (uint32_t)v;
	return true;
}

static enum vgpu_err
parse_port(struct url *u, const char *s, const char *text,
    struct err_text *err)
{
	if (!parse_number(s, strlen(s), 65535, &u->port) || u->port == 0)
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": port \"%s\" is not a number from 1 to "
		    "65535", show(text, strlen(text)).s,
		    show(s, strlen(s)).s);
	return VGPU_OK;
}

/* [address%zone] */
static enum vgpu_err
parse_bracketed(struct url *u, const char *s, const char *text,
    struct err_text *err)
{
	const char *end = strchr(s, ']');
	struct in6_addr a;
	char numeric[INET6_ADDRSTRLEN];
	size_t n;

	if (end == NULL)
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": no \"]\" after the IPv6 address",
		    show(text, strlen(text)).s);
	n = strcspn(s + 1, "]%");
	if (n < sizeof(numeric)) {
		memcpy(numeric, s + 1, n);
		numeric[n] = '\0';
	}
	if (n >= sizeof(numeric) || inet_pton(AF_INET6, numeric, &a) != 1 ||
	    (size_t)(end - s - 1) >= sizeof(u->host))
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": no IPv6 address between the brackets",
		    show(text, strlen(text)).s);
	n = (size_t)(end - s - 1);
	memcpy(u->host, s + 1, n);
	if (end[1] == '\0')
		return VGPU_OK;
	if (end[1] != ':')
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": expected \":port\" after \"]\"",
		    show(text, strlen(text)).s);
	return parse_port(u, end + 2, text, err);
}

static enum vgpu_err
parse_tls(struct url *u, const char *s, const char *text, struct err_text *err)
{
	size_t n;

	u->kind = URL_TLS;
	u->port = URL_PORT;
	if (*s == '[')
		return parse_bracketed(u, s, text, err);
	n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789.-_");
	if (s[n] == ':' && strchr(s + n + 1, ':') != NULL)
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": write an IPv6 address in brackets, as in "
		    "vgpu://[::1]:%d", show(text, strlen(text)).s, URL_PORT);
	if (n == 0)
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": no host name; expected vgpu://host:port",
		    show(text, strlen(text)).s);
	if (s[n] != '\0' && s[n] != ':')
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": \"%s\" can't follow a host name; expected "
		    "vgpu://host:port", show(text, strlen(text)).s,
		    show(s + n, strlen(s + n)).s);
	if (n >= sizeof(u->host) - 1)
		return err_set(err, VGPU_ECONF,
		    "address: the host name is %zu bytes long, at most %zu "
		    "are possible", n, sizeof(u->host) - 2);
	memcpy(u->host, s, n);
	return s[n] == ':' ? parse_port(u, s + n + 1, text, err) : VGPU_OK;
}

static enum vgpu_err
parse_unix(struct url *u, const char *s, const char *text,
    struct err_text *err)
{
	u->kind = URL_UNIX;
	if (strncmp(s, "//", 2) == 0) /* an empty authority, as in file:// */
		s += 2;
	if (*s != '/')
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": expected an absolute path, as in "
		    "vgpu+unix:/run/vgpu/hostd.sock",
		    show(text, strlen(text)).s);
	if (strlen(s) >= sizeof(u->path))
		return err_set(err, VGPU_ECONF,
		    "address: the socket's path is %zu bytes long, at most "
		    "%zu are possible", strlen(s), sizeof(u->path) - 1);
	memcpy(u->path, s, strlen(s) + 1);
	return VGPU_OK;
}

static enum vgpu_err
parse_vsock(struct url *u, const char *s, const char *text,
    struct err_text *err)
{
	size_t n = strcspn(s, ":");

	u->kind = URL_VSOCK;
	u->port = URL_PORT;
	if (!parse_number(s, n, UINT32_MAX, &u->cid) ||
	    (s[n] == ':' && !parse_number(s + n + 1, strlen(s + n + 1),
	    UINT32_MAX, &u->port)))
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": expected two numbers, as in "
		    "vgpu+vsock://2:%d", show(text, strlen(text)).s, URL_PORT);
	return VGPU_OK;
}

static const struct {
	const char *prefix;
	enum vgpu_err (*parse)(struct url *, const char *, const char *,
	    struct err_text *);
} schemes[] = {
	{ "vgpu://", parse_tls },
	{ "vgpu+unix:", parse_unix },
	{ "vgpu+vsock://", parse_vsock },
};

enum vgpu_err
url_parse(struct url *out, const char *text, struct err_text *err)
{
	enum vgpu_err e;
	struct url u;
	const char *rest = text;
	size_t i, n;

	memset(&u, 0, sizeof(u));
	for (i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		n = strlen(schemes[i].prefix);
		if (strncmp(text, schemes[i].prefix, n) == 0) {
			rest = text + n;
			break;
		}
	}
	if (rest == text && strstr(text, "://") != NULL)
		return err_set(err, VGPU_ECONF,
		    "address \"%s\": expected vgpu://host:port or "
		    "vgpu+unix:/path",
		    show(text, strlen(text)).s);
	e = rest == text ? parse_tls(&u, text, text, err) :
	    schemes[i].parse(&u, rest, text, err);
	if (e == VGPU_OK)
		*out = u;
	return e;
}

const char *
url_format(const struct url *u, char out[URL_TEXT_MAX])
{
	bool six = strchr(u->host, ':') != NULL;

	switch (u->kind) {
	case URL_UNIX:
		snprintf(out, URL_TEXT_MAX, "vgpu+unix:%s", u->path);
		break;
	case URL_VSOCK:
		snprintf(out, URL_TEXT_MAX, "vgpu+vsock://%u:%u", u->cid,
		    u->port);
		break;
	case URL_TLS:
		snprintf(out, URL_TEXT_MAX, "vgpu://%s%s%s:%u",
		    six ? "[" : "", u->host, six ? "]" : "", u->port);
		break;
	}
	return out;
}
