/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/destructor.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "icd-vgpu/call.h"

struct destructor {
	struct destructor *next;
	union destructor_function run;
	void *user_data;
	enum obj_kind kind;
	void *handle;
};

struct destructors {
	struct destructor *first;	/* the last registered; call lock */
	atomic_int holders;		/* the object here, and the host */
};

static void
destructor_call(void *arg)
{
	struct destructor *d = arg;

	switch (d->kind) {
	case OBJ_CONTEXT:
		d->run.context(d->handle, d->user_data);
		break;
	case OBJ_PROGRAM:
		d->run.program(d->handle, d->user_data);
		break;
	case OBJ_MEM:
		d->run.mem(d->handle, d->user_data);
		break;
	default:
		break;
	}
	free(d);
}

void
destructor_release(struct destructors *list)
{
	struct destructor *d;

	if (list == NULL || atomic_fetch_sub(&list->holders, 1) != 1)
		return;
	while ((d = list->first) != NULL) {
		list->first = d->next;
		callback_queue(destructor_call, d);
	}
	free(list);
}

/* Also where the host is gone, or never had the object. */
static void
on_gone(void *arg, cl_int status, const void *reply)
{
	(void)status;
	(void)reply;
	destructor_release(arg);
}

/* The object's list, and whether it is new. */
static struct destructors *
list_of(struct destructors **list, struct destructors *fresh, bool *is_new)
{
	struct destructors *l;

	call_lock();
	*is_new = *list == NULL;
	if (*is_new)
		*list = fresh;
	l = *list;
	call_unlock();
	return l;
}

cl_int
destructor_add(struct destructors **list, enum obj_kind kind, void *handle,
    union destructor_function run, void *user_data, const struct message *m,
    const void *msg)
{
	struct destructor *d = malloc(sizeof(*d));
	struct destructors *fresh = calloc(1, sizeof(*fresh)), *l;
	bool is_new;

	if (d == NULL || fresh == NULL) {
		free(d);
		free(fresh);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*d = (struct destructor){ .run = run, .user_data = user_data,
		.kind = kind, .handle = handle };
	atomic_init(&fresh->holders, m != NULL ? 2 : 1);
	l = list_of(list, fresh, &is_new);
	call_lock();
	d->next = l->first;
	l->first = d;
	call_unlock();
	if (!is_new)
		free(fresh);
	else if (m != NULL && call_then(m, msg, on_gone, l) != CL_SUCCESS)
		destructor_release(l);
	return CL_SUCCESS;
}
