/* SPDX-License-Identifier: ISC */
/*
 * event_private - what event.c and event_callback.c share.
 */
#ifndef VGPU_ICD_EVENT_PRIVATE_H
#define VGPU_ICD_EVENT_PRIVATE_H

#include "icd-vgpu/event.h"

/* Queue those of its callbacks that have become due; the call lock is held. */
void event_fire(struct event *);

/* Ask the host for statuses, once each: bits 1 << CL_COMPLETE, ..., CL_SUBMITTED. */
void event_watch(struct event *, unsigned mask);

#endif
