/* SPDX-License-Identifier: ISC */
#include "bench/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
	pid_t pid, parent;
};

static pid_t root;

void
proc_set_root(pid_t pid)
{
	root = pid;
}

static pid_t
parent_of(pid_t pid)
{
	char path[64], text[512], *end;
	pid_t parent = 0;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	n = fread(text, 1, sizeof(text) - 1, f);
	fclose(f);
	text[n] = '\0';
	/* the name before it may hold anything */
	if ((end = strrchr(text, ')')) != NULL && strlen(end) > 4)
		parent = (pid_t)strtol(end + 4, NULL, 10);
	return parent;
}

static unsigned
all_processes(struct entry *e)
{
	struct dirent *d;
	unsigned n = 0;
	DIR *dir;

	if ((dir = opendir("/proc")) == NULL)
		return 0;
	while (n < PROC_MAX && (d = readdir(dir)) != NULL)
		if (isdigit((unsigned char)d->d_name[0])) {
			e[n].pid = (pid_t)strtol(d->d_name, NULL, 10);
			e[n].parent = parent_of(e[n].pid);
			n++;
		}
	closedir(dir);
	return n;
}

static pid_t
find_parent(const struct entry *e, unsigned n, pid_t pid)
{
	unsigned i;

	for (i = 0; i < n; i++)
		if (e[i].pid == pid)
			return e[i].parent;
	return 0;
}

/* Whether the way up from pid comes to root, and not by this process. */
static bool
is_host(const struct entry *e, unsigned n, pid_t pid)
{
	const pid_t self = getpid();

	while (pid > 1 && pid != self) {
		pid = find_parent(e, n, pid);
		if (pid == root)
			return true;
	}
	return false;
}

unsigned
proc_hosts(pid_t pids[PROC_MAX])
{
	static struct entry all[PROC_MAX];
	unsigned i, n, found = 0;

	if (root == 0)
		return 0;
	n = all_processes(all);
	for (i = 0; i < n; i++)
		if (all[i].pid != getpid() && is_host(all, n, all[i].pid))
			pids[found++] = all[i].pid;
	return found;
}

double
proc_private(pid_t pid)
{
	double kib, sum = 0;
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "Private_%*[^:]: %lf kB", &kib) == 1)
			sum += kib;
	fclose(f);
	return sum / 1024;
}

double
proc_private_sum(const pid_t *pids, unsigned n)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < n; i++)
		sum += proc_private(pids[i]);
	return sum;
}

static double
thread_us(pid_t pid, pid_t tid)
{
	char path[96];
	double ns = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", (int)pid,
	    (int)tid);
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	if (fscanf(f, "%lf", &ns) != 1)
		ns = 0;
	fclose(f);
	return ns / 1e3;
}

static void
take_process(struct proc_cpu *c, pid_t pid)
{
	struct dirent *d;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	if ((dir = opendir(path)) == NULL)
		return;
	while (c->n < PROC_MAX && (d = readdir(dir)) != NULL)
		if (isdigit((unsigned char)d->d_name[0])) {
			pid_t tid = (pid_t)strtol(d->d_name, NULL, 10);

			c->thread[c->n].tid = tid;
			c->thread[c->n++].us = thread_us(pid, tid);
		}
	closedir(dir);
}

void
proc_cpu_take(struct proc_cpu *c, const pid_t *pids, unsigned n)
{
	unsigned i;

	c->n = 0;
	for (i = 0; i < n; i++)
		take_process(c, pids[i]);
}

static double
find_us(const struct proc_cpu *c, pid_t tid)
{
	unsigned i;

	for (i = 0; i < c->n; i++)
		if (c->thread[i].tid == tid)
			return c->thread[i].us;
	return 0;
}

void
proc_cpu_between(const struct proc_cpu *from, const struct proc_cpu *to,
    double *all, double *busiest)
{
	unsigned i;
	double us;

	*all = *busiest = 0;
	for (i = 0; i < to->n; i++) {
		us = to->thread[i].us - find_us(from, to->thread[i].tid);
		*all += us;
		if (us > *busiest)
			*busiest = us;
	}
}

void
proc_settle(void)
{
	static struct proc_cpu cpu[2];
	static pid_t pids[PROC_MAX];
	double all, busiest;
	unsigned n, i;

	if (root == 0)
		return;
	for (i = 0; i < 20; i++) {
		n = proc_hosts(pids);
		proc_cpu_take(&cpu[i % 2], pids, n);
		if (i > 0) {
			proc_cpu_between(&cpu[(i + 1) % 2], &cpu[i % 2], &all,
			    &busiest);
			if (all < 500)
				return;
		}
		usleep(50000);
	}
}
