/* SPDX-License-Identifier: ISC */
#include "hostd/context_notify.h"

#include <string.h>

static _Thread_local bool muted;

void
context_notify_mute(bool mute)
{
	muted = mute;
}

bool
context_notify_muted(void)
{
	return muted;
}

void
context_notify(struct serve *s, uint64_t id, const char *text)
{
	const struct msg_notify m = { .context = id,
		.text = { text, strlen(text) } };

	serve_send(s, &desc_notify, &m, false);
}

void
context_notify_call(struct serve *s, const struct call *call, const char *text)
{
	const struct field *f = call->message->fields;
	const union ref *ref = call->msg;
	const struct vobj *o;

	if (call->message->field_count == 0 || f->kind != FIELD_ID)
		return;
	if ((o = ref->obj) == NULL)
		return;
	if (o->kind == OBJ_CONTEXT)
		context_notify(s, o->id, text);
	else if (o->kind == OBJ_QUEUE && o->error == CL_SUCCESS)
		context_notify(s, ((const struct vqueue *)ref->obj)->
		    context->o.id, text);
}
