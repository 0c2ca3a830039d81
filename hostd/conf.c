/* SPDX-License-Identifier: ISC */
#include "hostd/conf.h"

#include <CL/cl.h>

#include <confuse.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostd/conf_table.h"

#define OPTIONS_MAX 32

/*
 * libconfuse hands nothing of the caller's to its callbacks, so where the
 * messages of the load in progress go is kept here.
 */
static struct buf *messages_now;
static const char *over_now;	/* parsing this, not the file */

static void __attribute__((format(printf, 3, 4)))
complain(const char *file, int line, const char *format, ...)
{
	char text[1024];
	va_list ap;
	int n, m;

	if (over_now != NULL)
		n = snprintf(text, sizeof(text), "%s: ", over_now);
	else if (line > 0)
		n = snprintf(text, sizeof(text), "%s:%d: ", file, line);
	else
		n = snprintf(text, sizeof(text), "%s: ", file);
	if (n < 0 || (size_t)n >= sizeof(text) - 2)
		n = 0;
	va_start(ap, format);
	m = vsnprintf(text + n, sizeof(text) - (size_t)n - 1, format, ap);
	va_end(ap);
	if (m > 0)
		n += m;
	if ((size_t)n > sizeof(text) - 2)
		n = (int)sizeof(text) - 2;
	text[n++] = '\n';
	buf_append(messages_now, text, (size_t)n);
}

static const char *
section_of(const cfg_t *cfg)
{
	return strcmp(cfg->name, "root") == 0 ? NULL : cfg->name;
}

/* What libconfuse itself finds wrong. */
static void
on_error(cfg_t *cfg, const char *format, va_list ap)
{
	static const char unknown[] = "no such option '";
	const struct conf_key *near;
	char text[512], *name, *end;

	vsnprintf(text, sizeof(text), format, ap);
	if (strncmp(text, unknown, sizeof(unknown) - 1) != 0) {
		complain(cfg->filename, cfg->line, "%s", text);
		return;
	}
	name = text + sizeof(unknown) - 1;
	if ((end = strrchr(name, '\'')) != NULL)
		*end = '\0';
	near = conf_key_nearest(section_of(cfg), name);
	if (near != NULL)
		complain(cfg->filename, cfg->line, "unknown keyword \"%s\", "
		    "did you mean \"%s\"?", name, near->name);
	else
		complain(cfg->filename, cfg->line, "unknown keyword \"%s\"%s%s",
		    name, section_of(cfg) == NULL ? "" : " in section ",
		    section_of(cfg) == NULL ? "" : section_of(cfg));
}

static bool
number(const struct conf_key *k, const char *text, unsigned *out)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(text, &end, 10);
	if (text[0] == '\0' || *end != '\0' || errno != 0 || v < k->min ||
	    v > k->max)
		return false;
	*out = (unsigned)v;
	return true;
}

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
	if (url->kind != URL_TLS)
		return err_set(err, VGPU_ECONF, "\"%s\": only addresses like "
		    "vgpu://host:port can be listened on", text);
	if (any_port)
		url->port = 0;
	if (any_host)
		strcpy(url->host, "*");
	return VGPU_OK;
}

static int
check_texts(cfg_t *cfg, cfg_opt_t *opt, const struct conf_key *k)
{
	struct err_text err;
	struct url url;
	const char *text;
	unsigned i;

	if (cfg_opt_size(opt) == 0) {
		complain(cfg->filename, cfg->line, "%s: empty list, expected "
		    "%s", k->name, k->what);
		return -1;
	}
	for (i = 0; i < cfg_opt_size(opt); i++) {
		text = cfg_opt_getnstr(opt, i);
		if (text == NULL || text[0] == '\0') {
			complain(cfg->filename, cfg->line, "%s: empty text, "
			    "expected %s", k->name, k->what);
			return -1;
		}
		if (strcmp(k->name, "listen") == 0 &&
		    conf_listen_url(text, &url, &err) != VGPU_OK) {
			complain(cfg->filename, cfg->line, "listen: %s",
			    err.s);
			return -1;
		}
	}
	if (strcmp(k->name, "session-user") == 0 &&
	    getpwnam(cfg_opt_getnstr(opt, 0)) == NULL) {
		complain(cfg->filename, cfg->line, "session-user: there is "
		    "no user \"%s\"", cfg_opt_getnstr(opt, 0));
		return -1;
	}
	return 0;
}

/* Called by libconfuse after each value, or list of them. */
static int
check_value(cfg_t *cfg, cfg_opt_t *opt)
{
	const struct conf_key *k = conf_key_find(section_of(cfg), opt->name);
	const char *text;
	unsigned v;

	if (k == NULL)
		return -1;
	if (k->kind == CONF_TEXT || k->kind == CONF_LIST)
		return check_texts(cfg, opt, k);
	text = cfg_opt_getnstr(opt, 0);
	if (k->kind == CONF_NUMBER && !number(k, text, &v)) {
		complain(cfg->filename, cfg->line, "%s: \"%s\", expected a "
		    "number from %ld to %ld", k->name, text, k->min, k->max);
		return -1;
	}
	if (k->kind == CONF_CHOICE && conf_choice(k->choices, text) < 0) {
		complain(cfg->filename, cfg->line, "%s: \"%s\", expected one "
		    "of %s", k->name, text, k->choices);
		return -1;
	}
	if (k->kind == CONF_FLAG && cfg_parse_boolean(text) < 0) {
		complain(cfg->filename, cfg->line, "%s: \"%s\", expected yes "
		    "or no", k->name, text);
		return -1;
	}
	return 0;
}

static cfg_opt_t
option(const struct conf_key *k, cfg_opt_t *inner)
{
	cfg_opt_t text = CFG_STR(k->name, NULL, CFGF_NODEFAULT);
	cfg_opt_t list = CFG_STR_LIST(k->name, NULL, CFGF_NODEFAULT);
	cfg_opt_t section = CFG_SEC(k->name, inner, CFGF_NODEFAULT);
	cfg_opt_t titled = CFG_SEC(k->name, inner,
	    CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
	cfg_opt_t o = text;

	if (k->kind == CONF_TITLED)
		o = titled;
	else if (k->kind == CONF_SECTION)
		o = section;
	else if (k->kind == CONF_LIST)
		o = list;
	if (k->kind != CONF_TITLED && k->kind != CONF_SECTION)
		o.validcb = check_value;
	return o;
}

/* libconfuse's table, from ours; sections take their options from inner. */
static void
options(const char *section, cfg_opt_t out[OPTIONS_MAX],
    cfg_opt_t inner[2][OPTIONS_MAX])
{
	const cfg_opt_t end = CFG_END();
	const struct conf_key *k;
	unsigned n = 0, sections = 0;

	for (k = conf_keys; k->name != NULL && n < OPTIONS_MAX - 1; k++) {
		if (k != conf_key_find(section, k->name))
			continue;
		if (k->kind == CONF_TITLED || k->kind == CONF_SECTION) {
			options(k->name, inner[sections], NULL);
			out[n++] = option(k, inner[sections++]);
		} else
			out[n++] = option(k, NULL);
	}
	out[n] = end;
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
		number(conf_key_find(section, name), text, &v);
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
fill_tenant(const struct conf *c, cfg_t *cfg, const char *section,
    const char *name, struct conf_tenant *t)
{
	if (name != NULL && (t->name = strdup(name)) == NULL)
		return VGPU_ENOMEM;
	t->present_as = type_of(cfg, section);
	if (t->present_as == 0)
		t->present_as = c->others.present_as;
	t->max_sessions = number_of(cfg, section, "max-sessions");
	return texts_of(cfg, section, "devices", &t->devices);
}

static enum vgpu_err
fill_tenants(struct conf *c, cfg_t *cfg)
{
	unsigned n = cfg_size(cfg, "tenant");
	cfg_t *rest = NULL, *one;
	enum vgpu_err rc;

	if (cfg_size(cfg, "tenant-default") > 0)
		rest = cfg_getsec(cfg, "tenant-default");
	c->others.present_as = type_of(cfg, NULL);
	if ((c->tenants = calloc(n + 1, sizeof(*c->tenants))) == NULL)
		return VGPU_ENOMEM;
	for (; c->tenant_count < n; c->tenant_count++) {
		one = cfg_getnsec(cfg, "tenant", c->tenant_count);
		rc = fill_tenant(c, one, "tenant", cfg_title(one),
		    &c->tenants[c->tenant_count]);
		if (rc != VGPU_OK)
			return rc;
	}
	c->allow_any = cfg_parse_boolean(text_of(rest, "tenant-default",
	    "allow-any")) == cfg_true;
	return fill_tenant(c, rest, "tenant-default", NULL, &c->others);
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

/* libconfuse's scanner ends the process when it cannot read, so look first. */
static bool
readable(const char *file)
{
	struct stat st;
	int fd;

	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) < 0 ||
	    fstat(fd, &st) != 0) {
		complain(file, 0, "cannot be read: %s", strerror(errno));
		return false;
	}
	close(fd);
	if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) ||
	    S_ISCHR(st.st_mode))
		return true;
	complain(file, 0, "is not a file");
	return false;
}

/* The lines that go over the file, each as if it were a file "-o LINE". */
static int
parse_over(cfg_t *cfg, const char *const *over)
{
	static const char prefix[] = "-o ";
	char name[256];
	int parsed = CFG_SUCCESS;

	for (; parsed == CFG_SUCCESS && over != NULL && *over != NULL;
	    over++) {
		snprintf(name, sizeof(name), "%s\"%s\"", prefix, *over);
		over_now = name;
		parsed = cfg_parse_buf(cfg, *over);
	}
	over_now = NULL;
	return parsed;
}

static enum vgpu_err
parse(struct conf *c, const struct conf_source *source)
{
	cfg_opt_t top[OPTIONS_MAX], inner[2][OPTIONS_MAX];
	enum vgpu_err rc;
	cfg_t *cfg;
	int parsed;

	if (!readable(c->file))
		return VGPU_ECONF;
	options(NULL, top, inner);
	if ((cfg = cfg_init(top, CFGF_NONE)) == NULL)
		return VGPU_ENOMEM;
	cfg_set_error_function(cfg, on_error);
	parsed = cfg_parse(cfg, c->file);
	if (parsed == CFG_FILE_ERROR)
		complain(c->file, 0, "cannot be read: %s", strerror(errno));
	if (parsed == CFG_SUCCESS)
		parsed = parse_over(cfg, source->over);
	rc = parsed == CFG_SUCCESS ? fill(c, cfg) : VGPU_ECONF;
	if (parsed == CFG_PARSE_ERROR && buf_len(messages_now) == 0)
		complain(c->file, cfg->line, "syntax error");
	cfg_free(cfg);
	return rc;
}

enum vgpu_err
conf_load(const struct conf_source *source, struct conf **out,
    struct buf *messages)
{
	struct conf *c = calloc(1, sizeof(*c));
	enum vgpu_err rc = VGPU_ENOMEM;

	messages_now = messages;
	if (c != NULL && (c->file = strdup(source->file)) != NULL)
		rc = parse(c, source);
	if (rc == VGPU_ENOMEM)
		complain(source->file, 0, "out of memory");
	messages_now = NULL;
	if (rc == VGPU_OK)
		*out = c;
	else
		conf_free(c);
	return rc;
}

static void
free_texts(struct conf_texts *t)
{
	unsigned i;

	for (i = 0; t->v != NULL && i < t->n; i++)
		free(t->v[i]);
	free(t->v);
}

void
conf_free(struct conf *c)
{
	unsigned i;

	if (c == NULL)
		return;
	for (i = 0; i < c->tenant_count; i++) {
		free(c->tenants[i].name);
		free_texts(&c->tenants[i].devices);
	}
	free(c->tenants);
	free_texts(&c->others.devices);
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
