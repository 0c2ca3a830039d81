/* SPDX-License-Identifier: ISC */
/*
 * warm - session processes that are started before they are needed.
 *
 * Keeps warm-sessions of them waiting, more while clients wait, and gives each
 * connection that has begun to speak to one.  Where they crash at their start,
 * it tries again after longer and longer pauses.
 */
#ifndef VGPU_HOSTD_WARM_H
#define VGPU_HOSTD_WARM_H

#include "common/err.h"
#include "hostd/child.h"
#include "hostd/regime.h"

struct event_base;
struct warm;

/* What a session's process asks or tells; see child.h. */
struct warm_hooks {
	void (*identity)(void *arg, struct child *, const char *name);
	enum vgpu_err (*load)(void *arg, struct child *, unsigned device,
	    int change);
	void (*build)(void *arg, struct child *, const char *state_dir,
	    int fd);
	enum vgpu_err (*place)(void *arg, struct child *,
	    const unsigned *devices, unsigned n, unsigned *chosen);
	void (*moved)(void *arg, struct child *, const struct channel_moved *);
	void (*lost)(void *arg, struct child *, unsigned device);
	enum vgpu_err (*shown)(void *arg, struct child *, unsigned device);
	/* A process has ended; of a session if it was one. */
	void (*gone)(void *arg, struct child *, bool was_session);
	/* After warm_stop: none is left. */
	void (*empty)(void *arg);
};

/* NULL: no memory. */
struct warm *warm_new(struct event_base *, const struct warm_hooks *,
    void *arg);

/* Kills what is left. */
void warm_free(struct warm *);

/*
 * Start processes for this regime, which has its pool; those that wait for
 * clients under another one end.  Borrowed until the next warm_use.
 */
void warm_use(struct warm *, const struct regime *);

/* A new connection; takes fd. */
void warm_connection(struct warm *, int fd);

/* Take no more connections, and end all; then hooks.empty. */
void warm_stop(struct warm *);

/* The process of a session; NULL: there is none. */
struct child *warm_find(const struct warm *, unsigned session);

/* fn(arg, child) for each session that there is. */
void warm_each(const struct warm *, void (*fn)(void *arg, struct child *),
    void *arg);

/* Whether a process was started under this regime. */
bool warm_needs(const struct warm *, const struct regime *);

#endif
