/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/incoming_body.h"

#include <string.h>

#include "common/coding.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/transfer.h"

static enum vgpu_err
outside(uint64_t id, struct err_text *text)
{
	return err_set(text, VGPU_EPROTO, "data outside of transfer %llu",
	    (unsigned long long)id);
}

enum vgpu_err
incoming_body(struct link *l, struct incoming_body *body,
    struct err_text *text)
{
	enum vgpu_err e;
	size_t room, got;
	void *to;

	while (body->left > 0) {
		room = body->left;
		to = transfer_place(body->transfer, body->at, &room);
		if (to == NULL)
			return outside(body->transfer, text);
		e = link_receive_body(l, to, room, &got, text);
		if (e != VGPU_OK)
			return e;
		body->at += got;
		body->left -= got;
		transfer_landed(body->transfer, got);
	}
	body->transfer = 0;
	return VGPU_OK;
}

enum vgpu_err
incoming_pattern(const struct msg_data_pattern *m, struct err_text *text)
{
	uint64_t at;
	size_t room;
	void *to;

	if (m->size > CODING_MAX)
		return outside(m->transfer, text);
	for (at = 0; at < m->size; at += room) {
		room = m->size - at;
		to = transfer_place(m->transfer, m->offset + at, &room);
		if (to == NULL)
			return outside(m->transfer, text);
		coding_fill(to, room, at, m->pattern);
		transfer_landed(m->transfer, room);
	}
	return VGPU_OK;
}

/* Copy what was unpacked elsewhere to the rows where it belongs. */
static enum vgpu_err
put_in_rows(const struct msg_data_packed *m, const uint8_t *scratch,
    struct err_text *text)
{
	uint64_t at;
	size_t room;
	void *to;

	for (at = 0; at < m->size; at += room) {
		room = m->size - at;
		to = transfer_place(m->transfer, m->offset + at, &room);
		if (to == NULL)
			return outside(m->transfer, text);
		memcpy(to, scratch + at, room);
	}
	return VGPU_OK;
}

enum vgpu_err
incoming_packed(struct coding *coding, const struct msg_data_packed *m,
    struct err_text *text)
{
	size_t room = m->size;
	void *to = transfer_place(m->transfer, m->offset, &room);
	bool in_rows = room < m->size;
	enum vgpu_err e;

	if (to == NULL || m->size > CODING_MAX)
		return outside(m->transfer, text);
	if (in_rows && (to = coding_scratch(coding)) == NULL)
		return err_set(text, VGPU_ENOMEM, "no memory to unpack");
	e = coding_unpack(coding, to, m->size, m->packed.p, m->packed.n,
	    text);
	if (e == VGPU_OK && in_rows)
		e = put_in_rows(m, to, text);
	if (e == VGPU_OK)
		transfer_landed(m->transfer, m->size);
	return e;
}
