/* SPDX-License-Identifier: ISC */
/*
 * proc - what processes use, as Linux tells it in /proc.
 *
 * The host's processes are the relatives of this one that are not its own
 * children: all descendants of a process given once, as vgpu-run is to the
 * command and the daemon that it runs.
 */
#ifndef BENCH_PROC_H
#define BENCH_PROC_H

#include <sys/types.h>

#define PROC_MAX 1024 /* processes, and threads, that are looked at */

/* All descendants of root but this process and below are the host's. */
void proc_set_root(pid_t root);

/* The host's processes; 0 where there is no root. */
unsigned proc_hosts(pid_t pids[PROC_MAX]);

/* Memory that no other process shares, in MiB; 0 when it is gone. */
double proc_private(pid_t);
double proc_private_sum(const pid_t *, unsigned n);

/* CPU that each thread of some processes has used. */
struct proc_cpu {
	unsigned n;
	struct {
		pid_t tid;
		double us;
	} thread[PROC_MAX];
};
void proc_cpu_take(struct proc_cpu *, const pid_t *, unsigned n);

/* What was used between two: by all threads, and by the busiest one. */
void proc_cpu_between(const struct proc_cpu *from, const struct proc_cpu *to,
    double *all, double *busiest);

/*
 * Wait until the host's processes rest, a second at most: what they do
 * after one client for the next is no time of whoever comes then.
 */
void proc_settle(void);

#endif
