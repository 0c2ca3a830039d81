/* SPDX-License-Identifier: ISC */
/*
 * relay - brings what a child writes to its standard error into our log.
 *
 * Vendor libraries and kernels write there too, so each line is escaped, cut
 * where it is too long, marked with whose it is, and counted: a child that
 * floods the log loses lines, and the log says how many.
 */
#ifndef VGPU_HOSTD_RELAY_H
#define VGPU_HOSTD_RELAY_H

struct event_base;
struct relay;

#define RELAY_NAME_MAX 96

/* Takes fd, non-blocking.  NULL: no memory; fd is then closed. */
struct relay *relay_new(struct event_base *, int fd, const char *name);

/* Whose lines these are from now on ("session 4 tenant lab"). */
void relay_set_name(struct relay *, const char *name);

/* Log what is still there, and end. */
void relay_free(struct relay *);

#endif
