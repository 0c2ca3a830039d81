/* SPDX-License-Identifier: ISC */
/*
 * show - a daemon's answers for people.
 */
#ifndef VGPU_VGPUCTL_SHOW_H
#define VGPU_VGPUCTL_SHOW_H

#include <jansson.h>

/* Each prints an answer to the standard output; what is missing is empty. */
void show_devices(const json_t *);
void show_sessions(const json_t *);
void show_status(const json_t *);
void show_explain(const json_t *);
void show_drained(const json_t *);
void show_reload(const json_t *);
void show_done(const json_t *);

#endif
