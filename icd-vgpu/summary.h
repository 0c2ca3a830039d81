/* SPDX-License-Identifier: ISC */
/*
 * summary - what each kind of call cost, for VGPU_TRACE=summary.
 *
 * Where it is on, handles carry a second dispatch table whose functions
 * (calls.c, generated) enter a call, do what the first table's do, and leave.
 * Messages, bytes and waits are counted for the call that the thread is in,
 * whoever they are for: so an answer that one thread took for another counts
 * for the first.  What the library's own threads do is in no call.
 *
 * Where it is off it costs nothing but a look at a flag for each wait.
 */
#ifndef VGPU_ICD_SUMMARY_H
#define VGPU_ICD_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct link;

/* Calls are numbered from 1 on, in the order of opencl.def; 0: in no call. */
extern const char *const summary_names[];
extern const unsigned summary_count;

struct summary_call {
	unsigned before;
	int64_t start;
};

/* Begin and end a call, in one thread. */
void summary_enter(struct summary_call *, unsigned number);
void summary_leave(const struct summary_call *, unsigned number);

/* Count what goes over a lane, if it is wanted. */
void summary_watch(struct link *);

/* The time at the beginning of a wait, for its end. */
int64_t summary_wait_start(void);
void summary_wait_end(int64_t start);

/* In a child of fork: begin anew; what was counted is the parent's to tell. */
void summary_forget(void);

/* Write the table, those that waited longest first. */
void summary_print(void);

#endif
