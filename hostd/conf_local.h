/* SPDX-License-Identifier: ISC */
/*
 * conf_local - which tenant a user of this machine is.
 *
 * The configuration names users and groups; they are turned into numbers when
 * it is read, so nothing is looked up while clients wait.
 */
#ifndef VGPU_HOSTD_CONF_LOCAL_H
#define VGPU_HOSTD_CONF_LOCAL_H

#include <stdbool.h>

#include "hostd/conf.h"
#include "transport/peer.h"

/*
 * The number of a user, or of a group, from its name or number.  False: there
 * is none of that name.
 */
bool conf_local_id(const char *text, bool group, unsigned *id);

/* Fill users or groups from texts that are known to be good.  VGPU_ENOMEM. */
enum vgpu_err conf_local_fill(struct conf_ids *, const struct conf_texts *,
    bool group);

/*
 * What holds for a local client, and its tenant's name (TRANSPORT_NAME_MAX
 * bytes): of the first tenant that names its user, else of the first that
 * names a group of it, else of tenant-default where that names one of them;
 * such a tenant is "uid-1000".  NULL: none does; text is for the client.
 */
const struct conf_tenant *conf_local_tenant(const struct conf *,
    const struct peer *, char *name, struct err_text *);

#endif
