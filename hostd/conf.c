/* SPDX-License-Identifier: ISC */
#include "hostd/conf.h"

#include <CL/cl.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/conf_local.h"
#include "hostd/conf_parse.h"

/*
 * "host:0" lets the kernel choose a port, and "*" is every address: that is
 * for listeners only, so url_parse does not know it.
 */
enum vgpu_err
conf_listen_url(const char *text, struct url *url, struct err_text *err)
{
	static const char all[] = "vgpu://*";
	char copy[URL_TEXT_MAX];
	bool any_host, any_port = false;
	enum vgpu_err rc;
	size_t n;

	any_host = strncmp(text, all, sizeof(all) - 1) == 0;
	n = (size_t)snprintf(copy, sizeof(copy), "%s%s",
	    any_host ? "vgpu://all" : "",
	    any_host ? text + sizeof(all) - 1 : text);
	if (n >= sizeof(copy))
		return err_set(err, VGPU_ECONF, "address is too long");
	if (n > 2 && strcmp(copy + n - 2, ":0") == 0) {
		copy[n - 2] = '\0';
		any_port = true;
	}
	if ((rc = url_parse(url, copy, err)) != VGPU_OK)
		return rc;
	if (url->kind == URL_UNIX)
		return VGPU_OK;
	if (url->kind != URL_TLS)
		return err_set(err, VGPU_ECONF, "\"%s\": only addresses like "
		    "vgpu://host:port and vgpu+unix:/path can be listened on",
		    text);
	if (any_port)
		url->port = 0;
	if (any_host)
		strcpy(url->host, "*");
	return VGPU_OK;
}

uint64_t
conf_build_cache(const struct conf *c)
{
	return (uint64_t)c->build_cache << 20;
}

bool
conf_uses_tls(const struct conf *c)
{
	struct err_text text;
	struct url url;
	unsigned i;

	for (i = 0; i < c->listen.n; i++)
		if (conf_listen_url(c->listen.v[i], &url, &text) == VGPU_OK &&
		    url.kind == URL_TLS)
			return true;
	return false;
}

static void
free_texts(struct conf_texts *t)
{
	unsigned i;

	for (i = 0; t->v != NULL && i < t->n; i++)
		free(t->v[i]);
	free(t->v);
}

static void
free_tenant(struct conf_tenant *t)
{
	free(t->name);
	free_texts(&t->devices);
	free(t->users.v);
	free(t->groups.v);
}

/* A relative name, seen from the configuration's folder. */
static char *
resolve(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	char *out;

	if (name[0] == '/' || slash == NULL)
		return strdup(name);
	if (asprintf(&out, "%.*s/%s", (int)(slash - file), file, name) < 0)
		return NULL;
	return out;
}

static const char *
text_of(cfg_t *cfg, const char *section, const char *name)
{
	const char *text = cfg == NULL ? NULL : cfg_getstr(cfg, name);

	return text != NULL ? text : conf_key_find(section, name)->value;
}

static char *
file_of(const struct conf *c, cfg_t *cfg, const char *name)
{
	const char *text = text_of(cfg, NULL, name);

	return text == NULL ? NULL : resolve(c->file, text);
}

static unsigned
number_of(cfg_t *cfg, const char *section, const char *name)
{
	const char *text = text_of(cfg, section, name);
	unsigned v = 0;

	if (text != NULL)
		conf_number(conf_key_find(section, name), text, &v);
	return v;
}

static uint64_t
type_of(cfg_t *cfg, const char *section)
{
	static const uint64_t types[] = { CL_DEVICE_TYPE_GPU,
		CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ACCELERATOR };
	const char *text = text_of(cfg, section, "present-as");
	int i;

	if (text == NULL)
		return 0;
	i = conf_choice(conf_key_find(section, "present-as")->choices, text);
	return i < 0 ? 0 : types[i];
}

static enum vgpu_err
texts_of(cfg_t *cfg, const char *section, const char *name,
    struct conf_texts *out)
{
	const char *value = conf_key_find(section, name)->value;
	unsigned n = cfg == NULL ? 0 : cfg_size(cfg, name), i;

	out->n = n > 0 ? n : value != NULL;
	if ((out->v = calloc(out->n + 1, sizeof(*out->v))) == NULL)
		return VGPU_ENOMEM;
	for (i = 0; i < out->n; i++) {
		out->v[i] = strdup(n > 0 ? cfg_getnstr(cfg, name, i) : value);
		if (out->v[i] == NULL)
			return VGPU_ENOMEM;
	}
	return VGPU_OK;
}

static enum vgpu_err
ids_of(cfg_t *cfg, const char *section, const char *name,
    struct conf_ids *out)
{
	struct conf_texts texts = { NULL, 0 };
	enum vgpu_err rc;

	if ((rc = texts_of(cfg, section, name, &texts)) == VGPU_OK)
		rc = conf_local_fill(out, &texts, strcmp(name, "groups") == 0);
	free_texts(&texts);
	return rc;
}

/* present_as is that of all tenants that have none of their own. */
static enum vgpu_err
fill_tenant(cfg_t *cfg, const char *section, const char *name,
    uint64_t present_as, struct conf_tenant *t)
{
	enum vgpu_err rc;

	if (name != NULL && (t->name = strdup(name)) == NULL)
		return VGPU_ENOMEM;
	t->present_as = type_of(cfg, section);
	if (t->present_as == 0)
		t->present_as = present_as;
	t->max_sessions = number_of(cfg, section, "max-sessions");
	if ((rc = ids_of(cfg, section, "users", &t->users)) != VGPU_OK ||
	    (rc = ids_of(cfg, section, "groups", &t->groups)) != VGPU_OK)
		return rc;
	return texts_of(cfg, section, "devices", &t->devices);
}

static enum vgpu_err
fill_tenants(struct conf *c, cfg_t *cfg)
{
	unsigned n = cfg_size(cfg, "tenant");
	uint64_t present_as = type_of(cfg, NULL);
	cfg_t *rest = NULL, *one;
	enum vgpu_err rc;

	if (cfg_size(cfg, "tenant-default") > 0)
		rest = cfg_getsec(cfg, "tenant-default");
	if ((c->tenants = calloc(n + 1, sizeof(*c->tenants))) == NULL)
		return VGPU_ENOMEM;
	for (; c->tenant_count < n; c->tenant_count++) {
		one = cfg_getnsec(cfg, "tenant", c->tenant_count);
		rc = fill_tenant(one, "tenant", cfg_title(one), present_as,
		    &c->tenants[c->tenant_count]);
		if (rc != VGPU_OK)
			return rc;
	}
	c->allow_any = cfg_parse_boolean(text_of(rest, "tenant-default",
	    "allow-any")) == cfg_true;
	return fill_tenant(rest, "tenant-default", NULL, present_as,
	    &c->others);
}

static enum vgpu_err
resolve_all(const struct conf *c, struct conf_texts *t)
{
	char *name;
	unsigned i;

	for (i = 0; i < t->n; i++) {
		/* a bare library name is for the dynamic linker to find */
		if (strchr(t->v[i], '/') == NULL &&
		    strstr(t->v[i], ".so") != NULL)
			continue;
		if ((name = resolve(c->file, t->v[i])) == NULL)
			return VGPU_ENOMEM;
		free(t->v[i]);
		t->v[i] = name;
	}
	return VGPU_OK;
}

static enum vgpu_err
fill(struct conf *c, cfg_t *cfg)
{
	const char *user = text_of(cfg, NULL, "session-user");
	const char *level = text_of(cfg, NULL, "log-level");
	const char *group = text_of(cfg, NULL, "socket-group");
	enum vgpu_err rc;

	c->port_file = file_of(c, cfg, "port-file");
	c->ca = file_of(c, cfg, "ca");
	c->certificate = file_of(c, cfg, "certificate");
	c->key = file_of(c, cfg, "key");
	c->state_dir = file_of(c, cfg, "state-dir");
	c->session_user = user == NULL ? NULL : strdup(user);
	if (c->ca == NULL || c->certificate == NULL || c->key == NULL ||
	    c->state_dir == NULL || (user != NULL && c->session_user == NULL))
		return VGPU_ENOMEM;
	c->log_level = (enum log_level)conf_choice(
	    conf_key_find(NULL, "log-level")->choices, level);
	c->socket_mode = (unsigned)strtoul(text_of(cfg, NULL, "socket-mode"),
	    NULL, 8);
	c->socket_group = UINT_MAX;
	if (group != NULL)
		conf_local_id(group, true, &c->socket_group);
	c->build_cache = number_of(cfg, NULL, "build-cache");
	c->max_sessions = number_of(cfg, NULL, "max-sessions");
	c->max_handshakes = number_of(cfg, NULL, "max-handshakes");
	c->handshake_timeout = number_of(cfg, NULL, "handshake-timeout");
	c->warm_sessions = number_of(cfg, NULL, "warm-sessions");
	c->probe_timeout = number_of(cfg, NULL, "probe-timeout");
	if ((rc = texts_of(cfg, NULL, "listen", &c->listen)) != VGPU_OK ||
	    (rc = texts_of(cfg, NULL, "vendors", &c->vendors)) != VGPU_OK ||
	    (rc = resolve_all(c, &c->vendors)) != VGPU_OK)
		return rc;
	return fill_tenants(c, cfg);
}

enum vgpu_err
conf_load(const struct conf_source *source, struct conf **out,
    struct buf *messages)
{
	static const char no_memory[] = "out of memory\n";
	struct conf *c;
	enum vgpu_err rc;
	cfg_t *cfg;

	if ((rc = conf_parse(source, &cfg, messages)) != VGPU_OK)
		return rc;
	c = calloc(1, sizeof(*c));
	if (c == NULL || (c->file = strdup(source->file)) == NULL)
		rc = VGPU_ENOMEM;
	else
		rc = fill(c, cfg);
	cfg_free(cfg);
	if (rc == VGPU_OK) {
		*out = c;
		return VGPU_OK;
	}
	buf_append(messages, no_memory, sizeof(no_memory) - 1);
	conf_free(c);
	return rc;
}

void
conf_free(struct conf *c)
{
	unsigned i;

	if (c == NULL)
		return;
	for (i = 0; i < c->tenant_count; i++)
		free_tenant(&c->tenants[i]);
	free(c->tenants);
	free_tenant(&c->others);
	free_texts(&c->listen);
	free_texts(&c->vendors);
	free(c->port_file);
	free(c->ca);
	free(c->certificate);
	free(c->key);
	free(c->state_dir);
	free(c->session_user);
	free(c->file);
	free(c);
}

const struct conf_tenant *
conf_tenant(const struct conf *c, const char *name)
{
	unsigned i;

	for (i = 0; i < c->tenant_count; i++)
		if (strcmp(c->tenants[i].name, name) == 0)
			return &c->tenants[i];
	return c->allow_any ? &c->others : NULL;
}
