/* SPDX-License-Identifier: ISC */
/*
 * bench - one benchmark: a line of the table in micro.c and a function.
 *
 * The function does its work about `count` times, checks the outcome, and
 * hands values to reply_value under the benchmark's name.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

struct world;

struct bench {
	const char *name;
	void (*run)(const struct world *, const struct bench *);
	unsigned count; /* how often in a full run; never 0 */
	unsigned every; /* in one of that many rounds: for what is slow */
	size_t size;	/* bytes, where it is about that many */
	bool processes; /* it starts some: the host rests before and after */
};

/* launch.c */
void launch_null(const struct world *, const struct bench *);
void launch_many(const struct world *, const struct bench *);
void launch_many_changed(const struct world *, const struct bench *);
void launch_cpu(const struct world *, const struct bench *);
void launch_hop(const struct world *, const struct bench *);

/* transfer.c */
void transfer_write(const struct world *, const struct bench *);
void transfer_read(const struct world *, const struct bench *);
void transfer_map_read(const struct world *, const struct bench *);
void transfer_map_invalidate(const struct world *, const struct bench *);

/* between.c */
void between(const struct world *, const struct bench *);

/* object.c */
void object_buffer(const struct world *, const struct bench *);
void object_buffer_write(const struct world *, const struct bench *);
void object_query(const struct world *, const struct bench *);
void object_set_arg(const struct world *, const struct bench *);
void object_retain(const struct world *, const struct bench *);

/* program.c */
void program_build(const struct world *, const struct bench *);
void program_second_client(const struct world *, const struct bench *);

/* process.c */
void process_start(const struct world *, const struct bench *);
void process_wait(const struct world *, const struct bench *);
void process_busy(const struct world *, const struct bench *);
void process_idle(const struct world *, const struct bench *);

#endif
