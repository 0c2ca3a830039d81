/* SPDX-License-Identifier: ISC */
#include "hostd/probing.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostd/memfd.h"
#include "hostd/probe.h"
#include "hostd/reap.h"
#include "hostd/relay.h"
#include "hostd/setup.h"
#include "hostd/spawn.h"

struct probing {
	const struct probing_rules *rules;
	probing_function *fn;
	void *arg;
	enum probing_what what;
	unsigned vendors;
	pid_t pid;
	int result;
	struct relay *relay;
	struct event *timer;
	bool late;
};

void
probing_cancel(struct probing *p)
{
	if (p == NULL)
		return;
	if (p->pid > 0) {
		reap_forget(p->pid);
		spawn_kill(p->pid, SIGKILL);
	}
	relay_free(p->relay);
	if (p->result >= 0)
		close(p->result);
	if (p->timer != NULL)
		event_free(p->timer);
	free(p);
}

/* ---- the end ------------------------------------------------------------- */

/* The bytes come from a process that ran a vendor's code. */
static struct pool *
read_result(const struct probing *p, char *reason, size_t size)
{
	struct pool *found = NULL;
	struct err_text text;
	const char *why = "no answer";
	struct buf bytes;
	unsigned i;

	buf_init(&bytes);
	if (memfd_read(p->result, INFOSET_BYTES_MAX, &bytes, &text) !=
	    VGPU_OK || pool_decode(&found, buf_front(&bytes),
	    buf_len(&bytes), &text) != VGPU_OK) {
		found = NULL;
		why = text.s;
	}
	buf_fini(&bytes);
	for (i = 0; found != NULL && i < found->vendor_count; i++)
		if (!found->vendors[i].usable)
			break;
	if (found != NULL && i == found->vendor_count && i == p->vendors)
		return found;
	if (found != NULL && i < found->vendor_count)
		why = found->vendors[i].reason;
	log_escape(reason, size, why, strlen(why));
	pool_free(found);
	return NULL;
}

static void
on_end(void *arg, int status)
{
	struct probing *p = arg;
	char reason[ERR_TEXT_MAX] = "", how[64];
	struct pool *found = NULL;
	probing_function *fn = p->fn;
	void *fn_arg = p->arg;

	spawn_kill(p->pid, SIGKILL); /* what it may have started */
	p->pid = 0;
	if (p->late)
		snprintf(reason, sizeof(reason), "no answer within %u s",
		    p->rules->timeout);
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		found = read_result(p, reason, sizeof(reason));
	else
		snprintf(reason, sizeof(reason), "its probe ended: %s",
		    reap_text(status, how, sizeof(how)));
	probing_cancel(p);
	fn(fn_arg, found, reason);
}

static void
on_timeout(int fd, short what, void *arg)
{
	struct probing *p = arg;

	(void)fd;
	(void)what;
	p->late = true;
	spawn_kill(p->pid, SIGKILL);
}

/* ---- the beginning --------------------------------------------------------- */

static int
make_setup(const struct probing *p, const char *const *icds,
    struct err_text *text)
{
	const struct probing_rules *r = p->rules;
	struct infoset setup;
	unsigned i;
	int fd;

	infoset_init(&setup);
	infoset_put(&setup, SETUP_USER, r->user, sizeof(*r->user));
	infoset_put_u32(&setup, SETUP_LOG_LEVEL, r->log_level);
	infoset_put_text(&setup, SETUP_STATE_DIR, r->dir);
	infoset_put_u32(&setup, SETUP_CONTEXTS, p->what == PROBING_CONTEXTS);
	for (i = 0; i < p->vendors; i++)
		infoset_put_text(&setup, SETUP_ICD, icds[i]);
	fd = setup_write(&setup, text);
	infoset_fini(&setup);
	return fd;
}

static enum vgpu_err
run(struct probing *p, const char *const *icds, struct err_text *text)
{
	const struct timeval limit = { (time_t)p->rules->timeout, 0 };
	char name[RELAY_NAME_MAX];
	int setup, log;

	snprintf(name, sizeof(name), "probe %s%s", icds[0],
	    p->vendors > 1 ? ", ..." : "");
	if ((setup = make_setup(p, icds, text)) < 0)
		return VGPU_ESYS;
	if ((p->result = memfd_new("vgpu-probe", text)) >= 0)
		p->pid = spawn(PROBE_ROLE, p->result, setup, &log, text);
	close(setup);
	if (p->pid <= 0) {
		p->pid = 0;
		return VGPU_ESYS;
	}
	p->relay = relay_new(p->rules->base, log, name);
	reap_watch(p->pid, on_end, p);
	event_add(p->timer, &limit);
	return VGPU_OK;
}

enum vgpu_err
probing_start(struct probing **out, const struct probing_rules *rules,
    enum probing_what what, const char *const *icds, unsigned n,
    probing_function *fn, void *arg, struct err_text *text)
{
	struct probing *p = calloc(1, sizeof(*p));
	enum vgpu_err rc;

	if (p == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	p->rules = rules;
	p->fn = fn;
	p->arg = arg;
	p->what = what;
	p->vendors = n;
	p->result = -1;
	p->timer = evtimer_new(rules->base, on_timeout, p);
	rc = p->timer == NULL ? err_set(text, VGPU_ENOMEM, "out of memory") :
	    run(p, icds, text);
	if (rc == VGPU_OK)
		*out = p;
	else
		probing_cancel(p);
	return rc;
}
