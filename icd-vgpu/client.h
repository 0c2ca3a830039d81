/* SPDX-License-Identifier: ISC */
/*
 * client - the process's one connection to a host, and what the host told at
 * hello.
 *
 * Opened by the first query for platforms, tried once; a host that is down
 * costs its timeout once and then there is simply no platform.
 */
#ifndef VGPU_ICD_CLIENT_H
#define VGPU_ICD_CLIENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "common/polling.h"
#include "icd-vgpu/fork.h"
#include "icd-vgpu/settings.h"
#include "protocol/messages.h"
#include "transport/link.h"
#include "transport/tls_ctx.h"
#include "transport/url.h"

struct coding;
struct pending;
struct transfer;

/* A body that is being received on a lane; see incoming_body.h. */
struct incoming_body {
	uint64_t transfer;	/* 0: none */
	uint64_t at;		/* where the next bytes go */
	uint64_t left;
};

struct client {
	struct link *control;
	_Atomic(struct link *) data;	/* opened by the first bulk transfer */
	pthread_mutex_t data_lock;	/* of its opening */
	/*
	 * Held from an eager body's message to the body's end: bodies go in
	 * the order of their messages, as the host may stop at a message
	 * until its body is there, and at a body until its message is.
	 */
	pthread_mutex_t eager_lock;
	atomic_bool alive;
	int kick;			/* eventfd that wakes the service thread */
	int wake;			/* and the one for the leader */

	/* Under lock; see call.h. */
	pthread_mutex_t lock;
	pthread_cond_t cond;
	atomic_bool leading;		/* a thread is receiving */
	unsigned followers;
	bool changed;
	TAILQ_HEAD(, pending) pending;
	struct incoming_body body[2];	/* of control and data, the leader's */
	struct polling polling;		/* the leader's */
	TAILQ_HEAD(, transfer) transfers;
	uint64_t eager_used;

	atomic_uint_fast64_t serial;	/* of the last message sent */
	atomic_uint_fast64_t waits;	/* times a thread waited for the host */
	atomic_uint leads;		/* counts leaders, for the service */
	atomic_int expected;		/* see call_expect */
	atomic_bool dirty;		/* something waits to be flushed */
	atomic_int asleep;		/* an enum service_sleep */

	/* From hello. */
	uint64_t session, eager_max, inline_max;
	bool coded;			/* the host knows spellings */
	struct coding *coding;		/* of bodies */
	uint8_t token[TRANSPORT_TOKEN_LEN];	/* for its further lanes */

	/* To connect again, for further lanes. */
	struct settings settings;
	struct url url;
	struct tls_ctx *tls;		/* NULL: a local host */
	uid_t host_user;		/* who else may be a local host */
};

/*
 * The connected client, connecting at the first call; NULL when no host is
 * configured or it can't be reached.  reason (may be NULL) then says why.
 */
struct client *client_get(const char **reason);

/*
 * The client if it is connected already, even if it has died since; in a
 * child after fork the parent's, as a dead one, until client_get.
 */
struct client *client_current(void);

/* The child has no connection, and may open one of its own. */
void client_fork(enum fork_phase);

/* The data lane, opened at the first call; NULL: the connection is gone. */
struct link *client_data_lane(struct client *);

/*
 * The connection is gone: fail what waits and every unfinished event.  Called
 * by whoever notices; works once.
 */
void client_die(struct client *, const char *reason);

#endif
