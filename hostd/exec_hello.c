/* SPDX-License-Identifier: ISC */
/*
 * exec_hello - the first messages of a client, and what it is shown.
 */
#include "hostd/calls.h"

#include <stdio.h>
#include <string.h>

#include "hostd/arena.h"
#include "hostd/exec_device.h"
#include "hostd/present.h"
#include "hostd/view.h"
#include "protocol/shared.h"

#define REFUSE_LIST_MAX 256	/* together they fit a struct err_text */
#define WORDS_SHOWN 96

static void
refuse(struct serve *s, enum vgpu_err e, const char *text)
{
	const struct msg_refuse r = {
		.error = e,
		.reason = { text, strlen(text) },
		.software = { PACKAGE_VERSION, sizeof(PACKAGE_VERSION) - 1 },
	};

	serve_send(s, &desc_refuse, &r, true);
	serve_fail(s, e, "%s", text);
}

static void
refuse_version(struct serve *s, const struct msg_hello *m)
{
	char text[256];

	snprintf(text, sizeof(text), "client %.*s speaks protocol %u to %u,"
	    " host %s speaks %u to %u; upgrade the %s", (int)m->software.n,
	    (const char *)m->software.p, (unsigned)m->version_min,
	    (unsigned)m->version_max, PACKAGE_VERSION, PROTOCOL_VERSION_MIN,
	    PROTOCOL_VERSION_MAX, m->version_max < PROTOCOL_VERSION_MIN ?
	    "client" : "host");
	refuse(s, VGPU_EVERSION, text);
}

/*
 * A client that is to see nothing because of what it said itself is told so: a
 * platform without devices would leave people wondering.  True: it is refused.
 */
static bool
refuse_choice(struct serve *s)
{
	char all[REFUSE_LIST_MAX], text[ERR_TEXT_MAX];
	enum view_kind k = s->kind == VIEW_SINGLE ? VIEW_CLASS : s->kind;
	struct view whole;
	bool wrong;

	if (s->view.count > 0 || s->only == NULL || view_make(&whole,
	    s->start.pool, k, "", s->start.names) != VGPU_OK)
		return false;
	if ((wrong = whole.count > 0)) {
		view_list(&whole, s->start.names, all, sizeof(all));
		snprintf(text, sizeof(text), "\"%.*s\" of VGPU_DEVICES, or "
		    "devices in client.conf, matches none of this host's "
		    "devices: %s", WORDS_SHOWN, s->only, all);
		refuse(s, VGPU_ECONF, text);
	}
	view_fini(&whole);
	return wrong;
}

static void
welcome(struct serve *s, const struct infoset *platform,
    const struct span *devices, unsigned n)
{
	const struct msg_welcome w = {
		.version = PROTOCOL_VERSION_MAX,
		.features = FEATURE_CODED |
		    (arena_is_open() ? FEATURE_ARENA : 0),
		.software = { PACKAGE_VERSION, sizeof(PACKAGE_VERSION) - 1 },
		.session = s->start.session,
		.eager_max = SERVE_EAGER_MAX,
		.inline_max = SERVE_INLINE_MAX,
		.platform = { infoset_bytes(platform),
		    infoset_size(platform) },
		.devices = { devices, n },
	};

	serve_send(s, &desc_welcome, &w, true);
}

/* What the client is shown: no more than its tenant, and no more than it asks. */
void
exec_narrow(struct serve *s, struct call *call, struct msg_narrow *m)
{
	enum view_kind k = VIEW_PHYSICAL;

	(void)call;
	if (m->view.n > 0)
		k = view_kind(m->view.p);
	if (s->only != NULL || k == VIEW_KINDS) {
		serve_fail(s, VGPU_EPROTO, s->only != NULL ?
		    "a second narrow" : "narrow: no such view");
		return;
	}
	if (k > s->kind)
		s->kind = k;
	if ((s->only = strdup(m->devices.n > 0 ? m->devices.p : "")) == NULL)
		serve_fail(s, VGPU_ENOMEM, "out of memory");
}

/* A program most likely takes the first device, so somebody counts on that. */
static void
tell_first(const struct serve *s)
{
	unsigned first;

	if (s->view.count == 0 || s->start.shown == NULL)
		return;
	first = s->view.device[0].member[0]->index;
	if (first != s->start.pool->devices[0].index)
		s->start.shown(first);
}

void
exec_hello(struct serve *s, struct call *call, struct msg_hello *m)
{
	struct infoset platform;
	struct buf records[POOL_DEVICES_MAX];
	struct span devices[POOL_DEVICES_MAX];
	unsigned i, n;

	(void)call;
	if (m->version_min > PROTOCOL_VERSION_MAX ||
	    m->version_max < PROTOCOL_VERSION_MIN) {
		refuse_version(s, m);
		return;
	}
	if (view_make(&s->view, s->start.pool, s->kind, s->only != NULL ?
	    s->only : "", s->start.names) != VGPU_OK ||
	    devices_open(s) != VGPU_OK) {
		serve_fail(s, VGPU_ENOMEM, "out of memory");
		return;
	}
	if (refuse_choice(s))
		return;
	tell_first(s);
	n = s->device_count;
	link_set_frame_max(s->control, FRAME_MAX);
	s->features = m->features & FEATURE_CODED;
	if (m->features & FEATURE_ARENA)
		arena_open(s);
	present_platform(s, &platform);
	for (i = 0; i < n; i++) {
		present_device(s, s->devices[i], &records[i]);
		devices[i] = (struct span){ buf_front(&records[i]),
			buf_len(&records[i]) };
	}
	welcome(s, &platform, devices, n);
	for (i = 0; i < n; i++)
		buf_fini(&records[i]);
	infoset_fini(&platform);
	s->ready = true;
}

/* A lane's first message came on a lane that is in use already. */
void
exec_join(struct serve *s, struct call *call, struct msg_join *m)
{
	(void)call;
	(void)m;
	serve_fail(s, VGPU_EPROTO, "join on the control lane");
}

void
exec_data(struct serve *s, struct call *call, struct msg_data *m)
{
	(void)call;
	(void)m;
	serve_fail(s, VGPU_EPROTO, "data on the control lane");
}

void
exec_data_pattern(struct serve *s, struct call *call,
    struct msg_data_pattern *m)
{
	(void)call;
	(void)m;
	serve_fail(s, VGPU_EPROTO, "data on the control lane");
}

void
exec_data_packed(struct serve *s, struct call *call, struct msg_data_packed *m)
{
	(void)call;
	(void)m;
	serve_fail(s, VGPU_EPROTO, "data on the control lane");
}
