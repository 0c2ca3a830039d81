/* SPDX-License-Identifier: ISC */
/*
 * calls [-l] [-d NUMBER] [-s SECONDS] [NAME...]: the checks of all calls, or of
 * those named.  -s: when a case is taken to hang.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/calls/calls.h"
#include "conformance/calls/case.h"

static const struct {
	const char *name;
	void (*check)(struct world *);
} table[] = {
#define CALL(name) { #name, check_##name },
#include "conformance/calls/table.h"
#undef CALL
};

#define TABLE_SIZE (sizeof(table) / sizeof(table[0]))

/* Which of them to run: all, or those that were named. */
static bool chosen[TABLE_SIZE];

static int
usage(void)
{
	fprintf(stderr, "usage: calls [-l] [-d number] [-s seconds]"
	    " [call ...]\n");
	return 2;
}

static bool
choose(const char *name)
{
	size_t i;

	for (i = 0; i < TABLE_SIZE; i++)
		if (name == NULL || strcmp(name, table[i].name) == 0) {
			chosen[i] = true;
			if (name != NULL)
				return true;
		}
	if (name != NULL)
		fprintf(stderr, "calls: no check of %s\n", name);
	return name == NULL;
}

static int
list(void)
{
	size_t i;

	for (i = 0; i < TABLE_SIZE; i++)
		puts(table[i].name);
	return 0;
}

static void
run(size_t call)
{
	struct world w;

	case_call(table[call].name);
	world_open(&w);
	table[call].check(&w);
	world_close(&w);
}

/* What ended a child before its work was done; NULL: nothing did. */
static const char *
killer(int status)
{
	if (WIFSIGNALED(status))
		return strsignal(WTERMSIG(status));
	return WEXITSTATUS(status) != 0 ? "exit" : NULL;
}

/*
 * Run a call's cases in a child, and once more after each that kills it.
 * false: there can be no children.
 */
static bool
run_call(size_t call)
{
	const char *by;
	int status = 0;
	pid_t pid;

	case_state->deadly_count = 0;
	do {
		if ((pid = fork()) == 0) {
			run(call);
			exit(0);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid) {
			perror("calls");
			return false;
		}
	} while ((by = killer(status)) != NULL &&
	    case_killed(table[call].name, by));
	return true;
}

int
main(int argc, char **argv)
{
	bool listing = false;
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "ld:s:")) != -1) {
		if (c == 'l')
			listing = true;
		else if (c == 'd')
			world_device_index = (unsigned)strtoul(optarg, NULL,
			    10);
		else if (c == 's')
			case_seconds = (unsigned)strtoul(optarg, NULL, 10);
		else
			return usage();
	}
	if (listing)
		return list();
	argv += optind;
	do {
		if (!choose(*argv))
			return 2;
	} while (*argv != NULL && *++argv != NULL);
	if (!case_open()) {
		perror("calls");
		return 1;
	}
	for (i = 0; i < TABLE_SIZE; i++)
		if (chosen[i] && !run_call(i))
			return 1;
	printf("%u passed, %u failed, %u skipped\n", case_state->passed,
	    case_state->failed, case_state->skipped);
	return case_state->failed > 0;
}
