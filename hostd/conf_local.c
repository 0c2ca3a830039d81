/* SPDX-License-Identifier: ISC */
#include "hostd/conf_local.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport/transport.h"

bool
conf_local_id(const char *text, bool group, unsigned *id)
{
	const struct passwd *p;
	const struct group *g;
	unsigned long v;
	char *end;

	if (text[0] >= '0' && text[0] <= '9') {
		errno = 0;
		v = strtoul(text, &end, 10);
		*id = (unsigned)v;
		/* the last number means "none" */
		return *end == '\0' && errno == 0 && v < UINT32_MAX;
	}
	if (group) {
		if ((g = getgrnam(text)) != NULL)
			*id = g->gr_gid;
		return g != NULL;
	}
	if ((p = getpwnam(text)) != NULL)
		*id = p->pw_uid;
	return p != NULL;
}

enum vgpu_err
conf_local_fill(struct conf_ids *ids, const struct conf_texts *texts,
    bool group)
{
	unsigned i;

	if ((ids->v = calloc(texts->n + 1, sizeof(*ids->v))) == NULL)
		return VGPU_ENOMEM;
	for (i = 0; i < texts->n; i++) {
		if (strcmp(texts->v[i], "*") == 0)
			ids->any = true;
		else if (conf_local_id(texts->v[i], group, &ids->v[ids->n]))
			ids->n++;
	}
	return VGPU_OK;
}

static bool
has(const struct conf_ids *ids, unsigned id)
{
	unsigned i;

	for (i = 0; i < ids->n; i++)
		if (ids->v[i] == id)
			return true;
	return ids->any;
}

static bool
names_user(const struct conf_tenant *t, const struct peer *p)
{
	return has(&t->users, p->uid);
}

static bool
names_group(const struct conf_tenant *t, const struct peer *p)
{
	unsigned i;

	for (i = 0; i < p->group_count; i++)
		if (has(&t->groups, p->groups[i]))
			return true;
	return false;
}

const struct conf_tenant *
conf_local_tenant(const struct conf *c, const struct peer *p, char *name,
    struct err_text *err)
{
	static bool (*const tests[])(const struct conf_tenant *,
	    const struct peer *) = { names_user, names_group };
	unsigned i, j;

	for (j = 0; j < 2; j++)
		for (i = 0; i < c->tenant_count; i++)
			if (tests[j](&c->tenants[i], p)) {
				snprintf(name, TRANSPORT_NAME_MAX, "%s",
				    c->tenants[i].name);
				return &c->tenants[i];
			}
	if (names_user(&c->others, p) || names_group(&c->others, p)) {
		snprintf(name, TRANSPORT_NAME_MAX, "uid-%u",
		    (unsigned)p->uid);
		return &c->others;
	}
	err_set(err, VGPU_EAUTH, "no tenant of this host has user %u or a "
	    "group of that user; its vgpu-hostd.conf names them with users "
	    "and groups", (unsigned)p->uid);
	return NULL;
}
