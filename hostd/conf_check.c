/* SPDX-License-Identifier: ISC */
#include "hostd/conf_check.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/conf_local.h"
#include "hostd/conf_parse.h"

#define NAME_MAX_LEN 256

/* Without quotes, what comes after "vgpu://" may be lost as a comment. */
static int
check_address(const cfg_t *cfg, const char *text)
{
	size_t n = strlen(text);
	struct err_text err;
	struct url url;

	if (conf_listen_url(text, &url, &err) == VGPU_OK)
		return 0;
	conf_complain(cfg->filename, cfg->line, "listen: %s%s", err.s,
	    n > 0 && (text[n - 1] == '/' || text[n - 1] == ':') ? QUOTE : "");
	return -1;
}

static bool
check_id(const cfg_t *cfg, const char *keyword, const char *text, bool group)
{
	unsigned id;

	if (conf_local_id(text, group, &id))
		return true;
	conf_complain(cfg->filename, cfg->line, "%s: there is no %s \"%s\"",
	    keyword, group ? "group" : "user", text);
	return false;
}

static bool
check_weight(const cfg_t *cfg, const char *text)
{
	const char *equals = strrchr(text, '=');
	char *end;

	if (equals != NULL && equals != text && equals[1] >= '0' &&
	    equals[1] <= '9' && strtoul(equals + 1, &end, 10) <= 1000 &&
	    *end == '\0')
		return true;
	conf_complain(cfg->filename, cfg->line, "weights: \"%s\", expected "
	    "PATTERN=NUMBER, at most 1000", text);
	return false;
}

static bool
check_name(const cfg_t *cfg, const char *text)
{
	const char *equals = strchr(text, '=');

	if (strlen(text) >= NAME_MAX_LEN) {
		conf_complain(cfg->filename, cfg->line, "names: a line of %zu "
		    "bytes, expected at most %d", strlen(text),
		    NAME_MAX_LEN - 1);
		return false;
	}
	if (equals != NULL && equals != text && equals[1] != '\0' &&
	    strchr(text, '\n') == NULL)
		return true;
	conf_complain(cfg->filename, cfg->line, "names: \"%s\", expected "
	    "PATTERN=NAME", text);
	return false;
}

static int
check_texts(cfg_t *cfg, cfg_opt_t *opt, const struct conf_key *k)
{
	bool group = strcmp(k->name, "groups") == 0;
	const char *text;
	unsigned i;

	for (i = 0; i < cfg_opt_size(opt); i++) {
		text = cfg_opt_getnstr(opt, i);
		if (text == NULL || text[0] == '\0') {
			conf_complain(cfg->filename, cfg->line, "%s: empty text, "
			    "expected %s (a variable in ${} that is not set is "
			    "empty)", k->name, k->what);
			return -1;
		}
		if (strcmp(k->name, "listen") == 0 &&
		    check_address(cfg, text) != 0)
			return -1;
		if (strcmp(k->name, "names") == 0 &&
		    !check_name(cfg, text))
			return -1;
		if (strcmp(k->name, "weights") == 0 &&
		    !check_weight(cfg, text))
			return -1;
		if ((group || strcmp(k->name, "users") == 0) &&
		    strcmp(text, "*") != 0 &&
		    !check_id(cfg, k->name, text, group))
			return -1;
	}
	if (strcmp(k->name, "session-user") == 0 &&
	    getpwnam(cfg_opt_getnstr(opt, 0)) == NULL) {
		conf_complain(cfg->filename, cfg->line, "session-user: there is "
		    "no user \"%s\"", cfg_opt_getnstr(opt, 0));
		return -1;
	}
	if (strcmp(k->name, "socket-group") != 0 &&
	    strcmp(k->name, "control-group") != 0)
		return 0;
	return check_id(cfg, k->name, cfg_opt_getnstr(opt, 0), true) ? 0 : -1;
}

int
conf_check_value(cfg_t *cfg, cfg_opt_t *opt)
{
	const struct conf_key *k = conf_key_find(conf_section(cfg), opt->name);
	const char *text;
	unsigned v;

	if (k == NULL)
		return -1;
	if (k->kind == CONF_TEXT || k->kind == CONF_LIST)
		return check_texts(cfg, opt, k);
	text = cfg_opt_getnstr(opt, 0);
	if (k->kind == CONF_NUMBER && !conf_number(k, text, &v)) {
		conf_complain(cfg->filename, cfg->line, "%s: \"%s\", expected a "
		    "number from %ld to %ld", k->name, text, k->min, k->max);
		return -1;
	}
	if (k->kind == CONF_CHOICE && conf_choice(k->choices, text) < 0) {
		conf_complain(cfg->filename, cfg->line, "%s: \"%s\", expected one "
		    "of %s", k->name, text, k->choices);
		return -1;
	}
	if (k->kind == CONF_FLAG && cfg_parse_boolean(text) < 0) {
		conf_complain(cfg->filename, cfg->line, "%s: \"%s\", expected yes "
		    "or no", k->name, text);
		return -1;
	}
	return 0;
}
