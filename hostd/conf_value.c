/* SPDX-License-Identifier: ISC */
#include "hostd/conf_value.h"

#include <CL/cl.h>

#include <stdlib.h>
#include <string.h>

#include "hostd/conf_local.h"
#include "hostd/conf_parse.h"

const char *
conf_value_text(cfg_t *cfg, const char *section, const char *name)
{
	const char *text = cfg == NULL ? NULL : cfg_getstr(cfg, name);

	return text != NULL ? text : conf_key_find(section, name)->value;
}

unsigned
conf_value_number(cfg_t *cfg, const char *section, const char *name)
{
	const char *text = conf_value_text(cfg, section, name);
	unsigned v = 0;

	if (text != NULL)
		conf_number(conf_key_find(section, name), text, &v);
	return v;
}

int
conf_value_choice(cfg_t *cfg, const char *section, const char *name)
{
	const char *text = conf_value_text(cfg, section, name);

	return text == NULL ? -1 :
	    conf_choice(conf_key_find(section, name)->choices, text);
}

uint64_t
conf_value_type(cfg_t *cfg, const char *section)
{
	static const uint64_t types[] = { CL_DEVICE_TYPE_GPU,
		CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_ACCELERATOR };
	int i = conf_value_choice(cfg, section, "present-as");

	return i < 0 ? 0 : types[i];
}

enum vgpu_err
conf_value_texts(cfg_t *cfg, const char *section, const char *name,
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

enum vgpu_err
conf_value_lines(cfg_t *cfg, const char *name, char **out)
{
	unsigned n = cfg == NULL ? 0 : cfg_size(cfg, name), i;
	size_t len = 0;
	char *at;

	*out = NULL;
	for (i = 0; i < n; i++)
		len += strlen(cfg_getnstr(cfg, name, i)) + 1;
	if (n == 0)
		return VGPU_OK;
	if ((*out = at = malloc(len)) == NULL)
		return VGPU_ENOMEM;
	for (i = 0; i < n; i++) {
		at = stpcpy(at, cfg_getnstr(cfg, name, i));
		*at++ = i + 1 < n ? '\n' : '\0';
	}
	return VGPU_OK;
}

enum vgpu_err
conf_value_ids(cfg_t *cfg, const char *section, const char *name,
    struct conf_ids *out)
{
	struct conf_texts texts = { NULL, 0 };
	enum vgpu_err rc;

	if ((rc = conf_value_texts(cfg, section, name, &texts)) == VGPU_OK)
		rc = conf_local_fill(out, &texts, strcmp(name, "groups") == 0);
	conf_free_texts(&texts);
	return rc;
}
