/* SPDX-License-Identifier: ISC */
/*
 * incoming_body - bodies from the host, put where the program wants them.
 *
 * VGPU_EPROTO: bytes that no transfer expects, or that are no piece of one.
 */
#ifndef VGPU_ICD_INCOMING_BODY_H
#define VGPU_ICD_INCOMING_BODY_H

#include "protocol/messages.h"
#include "transport/link.h"

struct coding;
struct incoming_body;

/* Read more of one straight to its place.  VGPU_EAGAIN: some is left. */
enum vgpu_err incoming_body(struct link *, struct incoming_body *,
    struct err_text *);

/* A piece that came whole with its message; see common/coding.h. */
enum vgpu_err incoming_pattern(const struct msg_data_pattern *,
    struct err_text *);
enum vgpu_err incoming_packed(struct coding *, const struct msg_data_packed *,
    struct err_text *);

#endif
