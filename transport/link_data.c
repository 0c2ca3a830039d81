/* SPDX-License-Identifier: ISC */
#include "transport/link_data.h"

static enum vgpu_err
queue(struct link *l, const struct message *desc, const void *m,
    const void *p, size_t n)
{
	struct buf *b = link_begin(l, desc->number, 0, 0);

	codec_encode(b, desc->fields, desc->field_count, m);
	buf_append(b, p, n);
	return link_end(l);
}

/* What is not plain is a message like any other. */
static enum vgpu_err
queue_coded(struct link *l, const struct msg_data *m, const struct coded *c)
{
	const struct msg_data_pattern pattern = { m->transfer, m->offset,
		m->size, c->pattern };
	const struct msg_data_packed packed = { m->transfer, m->offset,
		m->size, { c->packed, c->packed_n } };

	return c->kind == CODING_PATTERN ?
	    queue(l, &desc_data_pattern, &pattern, NULL, 0) :
	    queue(l, &desc_data_packed, &packed, NULL, 0);
}

enum vgpu_err
link_send_data(struct link *l, struct coding *coding, const struct msg_data *m,
    const void *p, int64_t deadline, struct err_text *err)
{
	struct coded c;
	enum vgpu_err e;

	coding_encode(coding, p, m->size, link_rate(l), &c);
	if (c.kind == CODING_PLAIN)
		return link_send_body(l, MSG_data, 0, 0, m, sizeof(*m), p,
		    m->size, deadline, err);
	e = queue_coded(l, m, &c);
	coding_done(coding, &c);
	return e != VGPU_OK ? link_error(l, err) :
	    link_flush_wait(l, deadline, err);
}

enum vgpu_err
link_queue_data(struct link *l, struct coding *coding,
    const struct msg_data *m, const void *p)
{
	struct coded c;
	enum vgpu_err e;

	coding_encode(coding, p, m->size, link_rate(l), &c);
	e = c.kind == CODING_PLAIN ? queue(l, &desc_data, m, p, m->size) :
	    queue_coded(l, m, &c);
	coding_done(coding, &c);
	return e;
}
