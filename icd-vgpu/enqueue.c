/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/enqueue.h"

#include "icd-vgpu/call.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/usm.h"

/* A failure to allocate as much as this comes back from the call itself. */
#define LARGE (64u << 20)

cl_int
enqueue_read(struct command *c, const struct message *desc, const void *msg,
    uint64_t *transfer, const struct layout *to, struct mem *keep)
{
	cl_int code = usm_is_device(to->base) ? CL_INVALID_OPERATION :
	    transfer_expect(to, c->event, transfer);
	uint64_t id = *transfer;

	if (code != CL_SUCCESS)
		return command_drop(c, code);
	if (keep != NULL)
		transfer_hold(id, &keep->o);
	if ((code = command_send(c, desc, msg, NULL)) != CL_SUCCESS)
		transfer_forget(id);
	return code;
}

cl_int
enqueue_write(struct command *c, const struct message *desc, const void *msg,
    struct span *data, uint64_t *transfer, const struct layout *from,
    struct mem *keep)
{
	struct payload p;
	cl_int code = usm_is_device(from->base) ? CL_INVALID_OPERATION :
	    payload_open(&p, from, c->event, false);

	if (code != CL_SUCCESS)
		return command_drop(c, code);
	*data = p.data;
	*transfer = p.transfer;
	if (keep != NULL)
		transfer_hold(p.transfer, &keep->o);
	return command_send(c, desc, msg, &p);
}

/* A creation's body, if it has one, follows the message at once. */
struct content {
	struct payload p;
	bool body, sent;
};

static void
content_send(void *arg)
{
	struct content *c = arg;

	c->sent = true;
	if (c->body)
		payload_send(&c->p);
}

static cl_int
creation_send(const struct message *desc, const void *msg,
    struct content *content, bool confirm)
{
	cl_int code;

	if (confirm)
		return call_status_after(desc, msg, FRAME_CONFIRM,
		    content_send, content);
	code = call_async(desc, msg, 0);
	if (code == CL_SUCCESS)
		content_send(content);
	return code;
}

cl_int
enqueue_creation(const struct message *desc, const void *msg,
    struct span *data, uint64_t *transfer, const struct layout *from,
    bool confirm, bool *told)
{
	struct content content = { .body = from != NULL };
	cl_int code;

	if (content.body) {
		code = payload_open(&content.p, from, NULL, true);
		if (code != CL_SUCCESS)
			return code;
		*data = content.p.data;
		*transfer = content.p.transfer;
	}
	code = creation_send(desc, msg, &content, confirm);
	if (content.body && !content.sent)
		payload_drop(&content.p);
	if (told != NULL)
		*told = content.sent;
	return code;
}

bool
creation_is_large(const struct context *c, uint64_t size)
{
	cl_uint i;

	if (size >= LARGE)
		return true;
	for (i = 0; i < c->device_count; i++)
		if (size > device_u64(c->device[i],
		    CL_DEVICE_GLOBAL_MEM_SIZE) / 16)
			return true;
	return false;
}

cl_int
check_range(const struct mem *m, size_t offset, size_t n)
{
	return offset <= m->size && n <= m->size - offset ? CL_SUCCESS :
	    CL_INVALID_VALUE;
}

cl_int
check_pattern(const void *pattern, size_t size)
{
	return pattern != NULL && size != 0 && size <= 128 &&
	    (size & (size - 1)) == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
}
