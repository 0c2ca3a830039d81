/* SPDX-License-Identifier: ISC */
#include "hostd/conf.h"

#include <CL/cl.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/conf_local.h"
#include "hostd/conf_parse.h"
#include "hostd/conf_value.h"
#include "hostd/place.h"

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
		return any_host ? err_set(err, rc, "\"%s\": expected no more "
		    "than \":\" and a port, 0 to 65535, after \"*\"", text) :
		    rc;
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

void
conf_free_texts(struct conf_texts *t)
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
	free(t->names);
	conf_free_texts(&t->devices);
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

static char *
file_of(const struct conf *c, cfg_t *cfg, const char *name)
{
	const char *text = conf_value_text(cfg, NULL, name);

	return text == NULL ? NULL : resolve(c->file, text);
}

/* How devices are shown, unless a section that is more special tells. */
static enum vgpu_err
fill_show(cfg_t *cfg, const char *section, const struct conf_tenant *base,
    struct conf_tenant *t)
{
	uint64_t type = conf_value_type(cfg, section);
	int view = conf_value_choice(cfg, section, "view");
	int order = conf_value_choice(cfg, section, "order");
	int across = conf_value_choice(cfg, section, "move-across");
	enum vgpu_err rc;

	t->present_as = type == 0 && base != NULL ? base->present_as : type;
	t->view = view < 0 ? base->view : (enum view_kind)view;
	t->order = order < 0 ? base->order : (enum conf_order)order;
	t->move_across = across < 0 ? base->move_across : across > 0;
	rc = conf_value_lines(cfg, "names", &t->names);
	if (rc == VGPU_OK && t->names == NULL && base != NULL &&
	    base->names != NULL && (t->names = strdup(base->names)) == NULL)
		rc = VGPU_ENOMEM;
	return rc;
}

static enum vgpu_err
fill_tenant(cfg_t *cfg, const char *section, const char *name,
    const struct conf_tenant *base, struct conf_tenant *t)
{
	enum vgpu_err rc;

	if (name != NULL && (t->name = strdup(name)) == NULL)
		return VGPU_ENOMEM;
	t->max_sessions = conf_value_number(cfg, section, "max-sessions");
	if ((rc = fill_show(cfg, section, base, t)) != VGPU_OK ||
	    (rc = conf_value_ids(cfg, section, "users", &t->users)) !=
	    VGPU_OK || (rc = conf_value_ids(cfg, section, "groups",
	    &t->groups)) != VGPU_OK)
		return rc;
	return conf_value_texts(cfg, section, "devices", &t->devices);
}

static enum vgpu_err
fill_tenants(struct conf *c, cfg_t *cfg)
{
	unsigned n = cfg_size(cfg, "tenant");
	cfg_t *rest = NULL, *one;
	enum vgpu_err rc;

	if ((rc = fill_show(cfg, NULL, NULL, &c->all)) != VGPU_OK)
		return rc;
	if (cfg_size(cfg, "tenant-default") > 0)
		rest = cfg_getsec(cfg, "tenant-default");
	if ((c->tenants = calloc(n + 1, sizeof(*c->tenants))) == NULL)
		return VGPU_ENOMEM;
	for (; c->tenant_count < n; c->tenant_count++) {
		one = cfg_getnsec(cfg, "tenant", c->tenant_count);
		rc = fill_tenant(one, "tenant", cfg_title(one), &c->all,
		    &c->tenants[c->tenant_count]);
		if (rc != VGPU_OK)
			return rc;
	}
	c->allow_any = cfg_parse_boolean(conf_value_text(rest, "tenant-default",
	    "allow-any")) == cfg_true;
	return fill_tenant(rest, "tenant-default", NULL, &c->all,
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

/* The number of the group that is named there; UINT_MAX: none is. */
static unsigned
group_of(cfg_t *cfg, const char *keyword)
{
	const char *name = conf_value_text(cfg, NULL, keyword);
	unsigned id = UINT_MAX;

	if (name != NULL)
		conf_local_id(name, true, &id);
	return id;
}

static enum vgpu_err
fill(struct conf *c, cfg_t *cfg)
{
	const char *user = conf_value_text(cfg, NULL, "session-user");
	const char *level = conf_value_text(cfg, NULL, "log-level");
	enum vgpu_err rc;

	c->port_file = file_of(c, cfg, "port-file");
	c->control = file_of(c, cfg, "control");
	c->ca = file_of(c, cfg, "ca");
	c->certificate = file_of(c, cfg, "certificate");
	c->key = file_of(c, cfg, "key");
	c->state_dir = file_of(c, cfg, "state-dir");
	c->session_user = user == NULL ? NULL : strdup(user);
	if (c->control == NULL || c->ca == NULL || c->certificate == NULL ||
	    c->key == NULL || c->state_dir == NULL ||
	    (user != NULL && c->session_user == NULL))
		return VGPU_ENOMEM;
	c->log_level = (enum log_level)conf_choice(
	    conf_key_find(NULL, "log-level")->choices, level);
	c->socket_mode = (unsigned)strtoul(conf_value_text(cfg, NULL,
	    "socket-mode"), NULL, 8);
	c->socket_group = group_of(cfg, "socket-group");
	c->control_group = group_of(cfg, "control-group");
	c->build_cache = conf_value_number(cfg, NULL, "build-cache");
	c->max_sessions = conf_value_number(cfg, NULL, "max-sessions");
	c->max_handshakes = conf_value_number(cfg, NULL, "max-handshakes");
	c->handshake_timeout = conf_value_number(cfg, NULL,
	    "handshake-timeout");
	c->warm_sessions = conf_value_number(cfg, NULL, "warm-sessions");
	c->probe_timeout = conf_value_number(cfg, NULL, "probe-timeout");
	c->rescan = conf_value_number(cfg, NULL, "rescan");
	c->rebalance = conf_value_number(cfg, NULL, "rebalance");
	c->placement = place_policy(conf_value_text(cfg, NULL, "placement"));
	if ((rc = conf_value_texts(cfg, NULL, "listen", &c->listen)) !=
	    VGPU_OK || (rc = conf_value_texts(cfg, NULL, "weights",
	    &c->weights)) != VGPU_OK ||
	    (rc = conf_value_texts(cfg, NULL, "prefer-vendors",
	    &c->prefer_vendors)) != VGPU_OK ||
	    (rc = conf_value_texts(cfg, NULL, "vendors", &c->vendors)) !=
	    VGPU_OK || (rc = resolve_all(c, &c->vendors)) != VGPU_OK)
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
	free_tenant(&c->all);
	conf_free_texts(&c->listen);
	conf_free_texts(&c->vendors);
	conf_free_texts(&c->weights);
	conf_free_texts(&c->prefer_vendors);
	free(c->port_file);
	free(c->control);
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
