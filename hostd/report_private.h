/* SPDX-License-Identifier: ISC */
/*
 * report_private - what report.c (in which order the client is told) and
 * report_list.c (of which events it may have to be) share.
 */
#ifndef VGPU_HOSTD_REPORT_PRIVATE_H
#define VGPU_HOSTD_REPORT_PRIVATE_H

#include "hostd/report.h"

/* Take it off its queue's list, lock held; true: the list's reference is ours. */
bool report_unlist(struct vevent *);

/* What the vendor says now, kept as its status; lock held. */
bool report_has_ended(struct vevent *);

/* Give back a reference that the list had, without the lock; NULL: none. */
void report_let_end(struct serve *, struct vevent *);

#endif
