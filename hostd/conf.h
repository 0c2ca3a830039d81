/* SPDX-License-Identifier: ISC */
/*
 * conf - the daemon's configuration, read and checked as a whole.
 *
 * A file is loaded completely or not at all; whoever reloads swaps one struct
 * for the other.  Relative names of files are relative to the folder of the
 * configuration file.  Keywords are in conf_table.c.
 */
#ifndef VGPU_HOSTD_CONF_H
#define VGPU_HOSTD_CONF_H

#include <stdbool.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"
#include "common/log.h"
#include "hostd/view.h"
#include "transport/url.h"

#define CONF_FILE "/etc/vgpu/vgpu-hostd.conf"

struct place_policy;

struct conf_texts {
	char **v;
	unsigned n;
};

/* Numbers of users or of groups. */
struct conf_ids {
	unsigned *v;
	unsigned n;
	bool any;		/* all of them */
};

/* How devices of one kind are ordered. */
enum conf_order {
	ORDER_LOAD,	/* those that would begin soonest first */
	ORDER_SPEED,	/* the faster first */
	ORDER_FIXED,	/* as in devices, then as they were found */
};

struct conf_tenant {
	char *name;		/* NULL in conf.others */
	uint64_t present_as;	/* CL_DEVICE_TYPE_*; 0: as it is */
	unsigned max_sessions;	/* 0: no limit of its own */
	enum view_kind view;	/* the widest that it may have */
	enum conf_order order;
	char *names;		/* lines of alias_name; or NULL */
	bool move_across;	/* contexts may move to another class */
	struct conf_texts devices; /* none: all of them */
	struct conf_ids users, groups; /* local clients; see conf_local.h */
};

struct conf {
	char *file;
	struct conf_texts listen;	/* addresses, checked */
	unsigned socket_mode;		/* of Unix sockets */
	unsigned socket_group;		/* UINT_MAX: the daemon's */
	char *port_file;		/* or NULL */
	char *control;			/* the socket for vgpuctl */
	unsigned control_group;		/* UINT_MAX: the daemon's user alone */
	char *ca, *certificate, *key;
	struct conf_texts vendors;
	char *state_dir;
	unsigned build_cache;		/* MiB a tenant; 0: none is kept */
	char *session_user;		/* or NULL: choose one */
	enum log_level log_level;
	unsigned max_sessions;
	unsigned max_handshakes;
	unsigned handshake_timeout;	/* seconds */
	unsigned warm_sessions;
	unsigned probe_timeout;		/* seconds */
	unsigned rescan;		/* seconds; 0: never */
	unsigned rebalance;		/* seconds; 0: never */
	const struct place_policy *placement;
	struct conf_texts weights;	/* PATTERN=NUMBER, for "weighted" */
	struct conf_texts prefer_vendors; /* of those that exclude each other */
	struct conf_tenant all;		/* what holds unless a tenant's does */
	struct conf_tenant *tenants;
	unsigned tenant_count;
	bool allow_any;			/* others are accepted */
	struct conf_tenant others;
};

/* Where a configuration comes from. */
struct conf_source {
	const char *file;
	const char *const *over; /* lines that go over it, up to a NULL */
};

/*
 * Read a configuration.  VGPU_ECONF: messages has one line for each thing that
 * is wrong, "file:line: what is wrong, what was expected", with line ends.
 * VGPU_ENOMEM.
 */
enum vgpu_err conf_load(const struct conf_source *, struct conf **,
    struct buf *messages);

void conf_free(struct conf *);
void conf_free_texts(struct conf_texts *);

/*
 * Parse an address of listen; port 0: the kernel chooses; host "*": every
 * address of this machine.  VGPU_ECONF.
 */
enum vgpu_err conf_listen_url(const char *, struct url *, struct err_text *);

/* Bytes of builds that are kept for each tenant; 0: none. */
uint64_t conf_build_cache(const struct conf *);

/* Whether it listens for TLS, and so needs certificates. */
bool conf_uses_tls(const struct conf *);

/*
 * What holds for the tenant of this name; NULL when it is not accepted.
 * name stays NULL for one that is accepted without being named.
 */
const struct conf_tenant *conf_tenant(const struct conf *, const char *name);

#endif
