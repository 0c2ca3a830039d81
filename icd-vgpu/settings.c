/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/settings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icd-vgpu/settings_file.h"

#define SYSTEM_FILE "/etc/vgpu/client.conf"
#define TIMEOUT_MAX 600000

enum type { TYPE_TEXT, TYPE_PATH, TYPE_NUMBER };

static const struct {
	const char *keyword;
	const char *variable;
	const char *otherwise; /* the default; of a path, beside the file */
	enum type type;
	unsigned min, max;	/* of a number */
} keys[SETTINGS_COUNT] = {
	[SETTINGS_HOST] = { "host", "VGPU_HOST", NULL, TYPE_TEXT, 0, 0 },
	[SETTINGS_CA] = { "ca", "VGPU_CA", "ca.pem", TYPE_PATH, 0, 0 },
	[SETTINGS_CERT] = { "cert", "VGPU_CERT", "cert.pem", TYPE_PATH, 0, 0 },
	[SETTINGS_KEY] = { "key", "VGPU_KEY", "key.pem", TYPE_PATH, 0, 0 },
	[SETTINGS_HOST_USER] = { "host-user", "VGPU_HOST_USER", NULL,
	    TYPE_TEXT, 0, 0 },
	[SETTINGS_TIMEOUT] = { "timeout", "VGPU_TIMEOUT", "2000", TYPE_NUMBER,
	    1, TIMEOUT_MAX },
	[SETTINGS_TRACE] = { "trace", "VGPU_TRACE", NULL, TYPE_TEXT, 0, 0 },
	[SETTINGS_TRACE_FILE] = { "trace-file", "VGPU_TRACE_FILE", NULL,
	    TYPE_PATH, 0, 0 },
	[SETTINGS_DEVICES] = { "devices", "VGPU_DEVICES", NULL, TYPE_TEXT,
	    0, 0 },
	[SETTINGS_VIEW] = { "view", "VGPU_VIEW", NULL, TYPE_TEXT, 0, 0 },
};

const char *
settings_keyword(enum settings_key k)
{
	return keys[k].keyword;
}

const char *
settings_variable(enum settings_key k)
{
	return keys[k].variable;
}

static char *
join(const char *folder, size_t n, const char *name)
{
	char *path;

	return asprintf(&path, "%.*s/%s", (int)n, folder, name) < 0 ? NULL :
	    path;
}

/* The length of a path's folder, without the last slash. */
static size_t
folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash - path) : 0;
}

/* Whether a value fits its keyword; where is what a message begins with. */
static enum vgpu_err
check_value(enum settings_key k, const char *value, const char *where,
    struct err_text *text)
{
	unsigned long v;
	char *end;

	if (k == SETTINGS_VIEW && strcmp(value, "physical") != 0 &&
	    strcmp(value, "class") != 0 && strcmp(value, "single") != 0)
		return err_set(text, VGPU_ECONF, "%s: %s \"%s\", expected "
		    "physical, class or single", where, keys[k].keyword,
		    value);
	if (keys[k].type != TYPE_NUMBER)
		return VGPU_OK;
	errno = 0;
	v = strtoul(value, &end, 10);
	if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 ||
	    v < keys[k].min || v > keys[k].max)
		return err_set(text, VGPU_ECONF, "%s: %s \"%s\", expected a "
		    "number from %u to %u", where, keys[k].keyword, value,
		    keys[k].min, keys[k].max);
	return VGPU_OK;
}

/* Set a keyword that is not set yet, to copies. */
static enum vgpu_err
set_value(struct settings *s, enum settings_key k, const char *value,
    const char *origin)
{
	if (s->value[k] != NULL)
		return VGPU_OK;
	s->value[k] = strdup(value);
	s->origin[k] = strdup(origin);
	return s->value[k] != NULL && s->origin[k] != NULL ? VGPU_OK :
	    VGPU_ENOMEM;
}

/* A variable that is set to nothing counts as not set. */
static enum vgpu_err
load_env(struct settings *s, char *(*env)(const char *), struct err_text *text)
{
	enum settings_key k;
	enum vgpu_err e;
	const char *value;

	for (k = 0; k < SETTINGS_COUNT; k++) {
		value = env(keys[k].variable);
		if (value == NULL || value[0] == '\0')
			continue;
		if ((e = check_value(k, value, keys[k].variable, text)) !=
			VGPU_OK ||
		    (e = set_value(s, k, value, keys[k].variable)) != VGPU_OK)
			return e;
	}
	return VGPU_OK;
}

struct file_load {
	struct settings *s;
	const char *name;
	struct err_text *text;
	unsigned line[SETTINGS_COUNT]; /* where this file sets a keyword */
};

static enum vgpu_err
unknown_keyword(const char *where, const char *word, struct err_text *text)
{
	char all[256] = "";
	enum settings_key k;
	size_t at = 0;

	for (k = 0; k < SETTINGS_COUNT && at < sizeof(all); k++)
		at += (size_t)snprintf(all + at, sizeof(all) - at, "%s%s",
		    k == 0 ? "" : k + 1 < SETTINGS_COUNT ? ", " : " or ",
		    keys[k].keyword);
	return err_set(text, VGPU_ECONF, "%s: unknown keyword \"%s\", "
	    "expected %s", where, word, all);
}

/* A path in a file is relative to the file. */
static enum vgpu_err
set_from_file(struct file_load *f, enum settings_key k, const char *value,
    const char *where)
{
	enum vgpu_err e;
	char *path;

	if (keys[k].type != TYPE_PATH || value[0] == '/')
		return set_value(f->s, k, value, where);
	if ((path = join(f->name, folder_len(f->name), value)) == NULL)
		return VGPU_ENOMEM;
	e = set_value(f->s, k, path, where);
	free(path);
	return e;
}

static enum vgpu_err
file_line(void *arg, unsigned line, const char *word, const char *value)
{
	struct file_load *f = arg;
	enum settings_key k;
	enum vgpu_err e;
	char where[ERR_TEXT_MAX];

	snprintf(where, sizeof(where), "%s:%u", f->name, line);
	for (k = 0; k < SETTINGS_COUNT; k++)
		if (strcmp(word, keys[k].keyword) == 0)
			break;
	if (k == SETTINGS_COUNT)
		return unknown_keyword(where, word, f->text);
	if (f->line[k] != 0)
		return err_set(f->text, VGPU_ECONF, "%s: %s is already set on "
		    "line %u", where, word, f->line[k]);
	f->line[k] = line;
	if ((e = check_value(k, value, where, f->text)) != VGPU_OK)
		return e;
	return set_from_file(f, k, value, where);
}

static bool
folder_has_ca(const char *file)
{
	char *path = join(file, folder_len(file), keys[SETTINGS_CA].otherwise);
	bool found = path != NULL && access(path, F_OK) == 0;

	free(path);
	return found;
}

/* The file beside which certificates are looked for; NULL: none. */
static const char *
certificate_file(const struct settings *s, const struct settings_source *src,
    const bool was_read[2])
{
	const char *origin = s->origin[SETTINGS_HOST];
	const char *first = NULL;
	size_t i, n;

	for (i = 0; i < 2 && origin != NULL; i++) {
		n = src->file[i] != NULL ? strlen(src->file[i]) : 0;
		if (n > 0 && strncmp(origin, src->file[i], n) == 0 &&
		    origin[n] == ':')
			return src->file[i];
	}
	for (i = 0; i < 2; i++)
		if (was_read[i])
			return src->file[i];
	for (i = 0; i < 2; i++) {
		if (src->file[i] != NULL && folder_has_ca(src->file[i]))
			return src->file[i];
		if (first == NULL)
			first = src->file[i];
	}
	return first;
}

static enum vgpu_err
set_defaults(struct settings *s, const char *beside)
{
	enum settings_key k;
	enum vgpu_err e = VGPU_OK;
	char *path;

	for (k = 0; k < SETTINGS_COUNT && e == VGPU_OK; k++) {
		if (keys[k].otherwise == NULL || s->value[k] != NULL)
			continue;
		if (keys[k].type != TYPE_PATH) {
			e = set_value(s, k, keys[k].otherwise, "default");
		} else if (beside != NULL) {
			path = join(beside, folder_len(beside),
			    keys[k].otherwise);
			e = path == NULL ? VGPU_ENOMEM :
			    set_value(s, k, path, "default");
			free(path);
		}
	}
	return e;
}

static enum vgpu_err
load_all(struct settings *s, const struct settings_source *src,
    struct err_text *text)
{
	bool was_read[2] = { false, false };
	enum vgpu_err e;
	size_t i;

	if (src->env != NULL && (e = load_env(s, src->env, text)) != VGPU_OK)
		return e;
	for (i = 0; i < 2; i++) {
		struct file_load f = { .s = s, .name = src->file[i],
			.text = text };

		if (f.name == NULL)
			continue;
		e = settings_file_read(f.name, file_line, &f, &was_read[i],
		    text);
		if (e != VGPU_OK)
			return e;
	}
	e = set_defaults(s, certificate_file(s, src, was_read));
	if (e == VGPU_OK)
		s->timeout_ms = (unsigned)strtoul(s->value[SETTINGS_TIMEOUT],
		    NULL, 10);
	return e;
}

enum vgpu_err
settings_load_from(struct settings *out, const struct settings_source *src,
    struct err_text *text)
{
	struct settings s = { 0 };
	enum vgpu_err e = load_all(&s, src, text);

	if (e == VGPU_ENOMEM)
		err_set(text, e, "client settings: no memory");
	if (e == VGPU_OK)
		*out = s;
	else
		settings_fini(&s);
	return e;
}

enum vgpu_err
settings_source_init(struct settings_source *src)
{
	const char *folder = secure_getenv("XDG_CONFIG_HOME");
	const char *home = secure_getenv("HOME");
	struct settings_source s = { .env = secure_getenv };
	int n = 0;

	/* The base directory specification ignores a relative folder. */
	if (folder != NULL && folder[0] == '/')
		n = asprintf(&s.file[0], "%s/vgpu/client.conf", folder);
	else if (home != NULL && home[0] == '/')
		n = asprintf(&s.file[0], "%s/.config/vgpu/client.conf", home);
	if (n < 0)
		return VGPU_ENOMEM;
	if ((s.file[1] = strdup(SYSTEM_FILE)) == NULL) {
		free(s.file[0]);
		return VGPU_ENOMEM;
	}
	*src = s;
	return VGPU_OK;
}

void
settings_source_fini(struct settings_source *src)
{
	free(src->file[0]);
	free(src->file[1]);
	memset(src, 0, sizeof(*src));
}

enum vgpu_err
settings_load(struct settings *s, struct err_text *text)
{
	struct settings_source src;
	enum vgpu_err e;

	if ((e = settings_source_init(&src)) != VGPU_OK)
		return err_set(text, e, "client settings: no memory");
	e = settings_load_from(s, &src, text);
	settings_source_fini(&src);
	return e;
}

void
settings_fini(struct settings *s)
{
	enum settings_key k;

	for (k = 0; k < SETTINGS_COUNT; k++) {
		free(s->value[k]);
		free(s->origin[k]);
	}
	memset(s, 0, sizeof(*s));
}
