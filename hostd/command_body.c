/* SPDX-License-Identifier: ISC */
#include "hostd/command.h"

#include <string.h>

#include "hostd/arena.h"
#include "hostd/dispatch.h"
#include "hostd/staging.h"
#include "protocol/shared.h"

/* Pull the body when the command could run. */
static void
pull_now(struct serve *s, void *arg, cl_int status)
{
	struct staging *st = arg;

	if (status == CL_COMPLETE)
		staging_pull(s, st);
	else
		staging_give_up(s, st, status);
}

cl_int
command_gate(struct command *c, struct staging *st)
{
	cl_int code = CL_SUCCESS;

	st->gate = clCreateUserEvent(native(c->context, c->member), &code);
	if (code != CL_SUCCESS)
		return code;
	st->shut = true;
	dispatch_count_shut(c->serve, 1);
	staging_expect(c->serve, st);
	if (!(c->call->flags & FRAME_PULL))
		st->credit = true;
	else if (staging_scarce(c->serve))
		code = command_turn(c->vqueue, c->wait_count, c->wait,
		    pull_now, st);
	else
		staging_pull(c->serve, st);
	if (code != CL_SUCCESS)
		staging_remove(c->serve, st);
	else
		command_wait(c, st->gate);
	return code;
}

void *
command_body_in(struct command *c, const struct span *data, uint64_t transfer,
    size_t size)
{
	struct staging *st = NULL;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (transfer == 0 && data->n != size) {
		code = CL_INVALID_VALUE;
	} else if (transfer_kind(transfer) != TRANSFER_LANES) {
		st = staging_place(c->serve, transfer, size, true);
		code = st != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
	} else if ((st = staging_new(c->serve, transfer, size, true)) !=
	    NULL) {
		code = CL_SUCCESS;
		if (transfer == 0)
			memcpy(st->data, data->p, size);
		else
			code = command_gate(c, st);
	}
	c->staging = st;
	if (code != CL_SUCCESS) {
		command_close(c, code);
		return NULL;
	}
	c->event_ret = &c->event;
	return st->data;
}

void *
command_body_out(struct command *c, uint64_t transfer, size_t size)
{
	c->staging = transfer_kind(transfer) == TRANSFER_LANES ?
	    staging_new(c->serve, transfer, size, false) :
	    staging_place(c->serve, transfer, size, false);
	if (c->staging == NULL) {
		command_close(c, CL_OUT_OF_HOST_MEMORY);
		return NULL;
	}
	c->event_ret = &c->event;
	return c->staging->data;
}

bool
command_body_at(struct command *c, uint64_t transfer, void *p, size_t size)
{
	c->staging = staging_borrow(c->serve, transfer, p, size);
	if (c->staging == NULL) {
		command_close(c, CL_OUT_OF_HOST_MEMORY);
		return false;
	}
	c->event_ret = &c->event;
	return true;
}

enum vgpu_err
creation_body(struct serve *s, struct call *call, const struct span *data,
    uint64_t transfer, size_t size, const void **p)
{
	struct staging *st;

	*p = data->n > 0 ? data->p : NULL;
	if (transfer_kind(transfer) != TRANSFER_LANES) {
		*p = arena_at(transfer & TRANSFER_REST, size);
		call->place = transfer;
		if (*p != NULL)
			return VGPU_OK;
		serve_fail(s, VGPU_EPROTO, "%s: no such place",
		    call->message->name);
		return VGPU_EPROTO;
	}
	if (transfer == 0) {
		if (data->n == 0 || data->n == size)
			return VGPU_OK;
		call_fail(s, call, CL_INVALID_VALUE, "body of wrong size");
		return VGPU_ECL;
	}
	if ((st = staging_find(s, transfer)) != NULL) {
		if (!st->resume || st->size != size || st->landed < size) {
			serve_fail(s, VGPU_EPROTO, "%s: transfer %llu is in"
			    " use", call->message->name,
			    (unsigned long long)transfer);
			return VGPU_EPROTO;
		}
		*p = st->data;
		return VGPU_OK;
	}
	if ((st = staging_new(s, transfer, size, true)) == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return VGPU_ENOMEM;
	}
	st->resume = true;
	dispatch_stall(s);
	staging_expect(s, st);
	return VGPU_EAGAIN;
}
