/* SPDX-License-Identifier: ISC */
/*
 * title - what ps shows for this process.
 *
 * The kernel shows the memory where the arguments lay at exec.  spawn gives
 * each child an unused last argument, so that there is room for a title.
 */
#ifndef VGPU_HOSTD_TITLE_H
#define VGPU_HOSTD_TITLE_H

#define TITLE_MAX 160

/* Remember where the arguments are; call first, with main's own argv. */
void title_init(int argc, char **argv);

/* "vgpu-hostd: " and the text, which is cut where there is no room. */
void title_set(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
