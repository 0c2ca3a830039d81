/* SPDX-License-Identifier: ISC */
/*
 * micro - benchmarks in plain OpenCL, which run on whatever the loader finds.
 *
 *	micro list			names, and in one of how many rounds
 *	micro about			the device, and what drives it
 *	micro run NAME [PERCENT]	one of them, here
 *	micro serve SOCKET [host]	a process that stays; its parent's
 *					other children are the host
 *	micro ask SOCKET NAME [PERCENT]	have it run there
 *	micro ask SOCKET time ROW COMMAND	have it run a command by sh(1)
 *	micro ask SOCKET quit
 *
 * PERCENT: of how often a full run does it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/child.h"
#include "bench/proc.h"
#include "bench/reply.h"
#include "bench/role.h"
#include "bench/sample.h"
#include "bench/serve.h"
#include "bench/world.h"

#define K 1024
#define M (1024 * 1024)

static const struct bench table[] = {
	{ "null", launch_null, 2000, 1, 0, false },
	{ "launches", launch_many, 3, 1, 0, false },
	{ "launches-changed", launch_many_changed, 3, 1, 0, false },
	{ "launch-cpu", launch_cpu, 3, 1, 0, false },
	{ "hop", launch_hop, 2000, 1, 0, false },
	{ "write-4", transfer_write, 500, 1, 4, false },
	{ "read-4", transfer_read, 500, 1, 4, false },
	{ "write-4K", transfer_write, 500, 1, 4 * K, false },
	{ "read-4K", transfer_read, 500, 1, 4 * K, false },
	{ "write-64K", transfer_write, 300, 1, 64 * K, false },
	{ "read-64K", transfer_read, 300, 1, 64 * K, false },
	{ "write-1M", transfer_write, 40, 1, M, false },
	{ "read-1M", transfer_read, 40, 1, M, false },
	{ "write-64M", transfer_write, 3, 1, 64 * M, false },
	{ "read-64M", transfer_read, 3, 1, 64 * M, false },
	{ "write-256M", transfer_write, 1, 3, 256 * M, false },
	{ "read-256M", transfer_read, 1, 3, 256 * M, false },
	{ "map-read", transfer_map_read, 3, 1, 64 * M, false },
	{ "map-invalidate", transfer_map_invalidate, 3, 1, 64 * M, false },
	{ "between", between, 5, 1, 64 * M, false },
	{ "buffer", object_buffer, 2000, 1, 0, false },
	{ "buffer-write", object_buffer_write, 1000, 1, 0, false },
	{ "query", object_query, 100000, 1, 0, false },
	{ "set-arg", object_set_arg, 100000, 1, 0, false },
	{ "retain", object_retain, 100000, 1, 0, false },
	{ "build", program_build, 1, 3, 0, true },
	{ "second-client", program_second_client, 1, 3, 0, true },
	{ "start", process_start, 3, 1, 0, true },
	{ "wait", process_wait, 1000, 3, 0, false },
	{ "sessions", process_busy, 64, 5, 0, true },
	{ "idle", process_idle, 4, 5, 0, true },
};

static struct world world;

static void
list(void)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		printf("%s %u\n", table[i].name, table[i].every);
}

/* The device and what drives it, as lines "KEY<tab>VALUE". */
static void
about(void)
{
	char platform[256], version[256], device[256], driver[256];

	CK(clGetPlatformInfo(world.platform, CL_PLATFORM_NAME, sizeof(platform),
	    platform, NULL));
	CK(clGetPlatformInfo(world.platform, CL_PLATFORM_VERSION,
	    sizeof(version), version, NULL));
	CK(clGetDeviceInfo(world.device, CL_DEVICE_NAME, sizeof(device), device,
	    NULL));
	CK(clGetDeviceInfo(world.device, CL_DRIVER_VERSION, sizeof(driver),
	    driver, NULL));
	printf("device\t%s, %s, driver %s\nplatform\t%s\n", platform, device,
	    driver, version);
}

static void
run(const char *name, unsigned percent)
{
	struct bench b;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i].name, name) == 0) {
			b = table[i];
			b.count = b.count * percent / 100;
			if (b.count == 0)
				b.count = 1;
			if (b.processes)
				proc_settle();
			b.run(&world, &b);
			if (b.processes)
				proc_settle();
			return;
		}
	reply_fail("no benchmark \"%s\"", name);
}

static unsigned
percent_of(const char *text)
{
	char *end;
	unsigned long v;

	if (text == NULL)
		return 100;
	v = strtoul(text, &end, 10);
	if (end == text || *end != '\0' || v == 0 || v > 10000)
		reply_fail("percent \"%s\": expected 1 to 10000", text);
	return (unsigned)v;
}

static void
time_command(const char *row, const char *command)
{
	double began = now_us();
	int status = child_command(command);

	if (status != 0)
		reply_fail("%s: status %#x", row, (unsigned)status);
	reply_value(row, NULL, (now_us() - began) / 1e6, "s");
}

static void
answer(char *question)
{
	char *word = strtok(question, " "), *next;

	if (word == NULL)
		reply_fail("no question");
	next = strtok(NULL, " ");
	if (strcmp(word, "time") != 0) {
		run(word, percent_of(next));
		return;
	}
	if (next == NULL || (word = strtok(NULL, "")) == NULL)
		reply_fail("time: no command");
	time_command(next, word);
}

/* The words of a question in a line. */
static int
ask(const char *path, int argc, char **argv)
{
	char line[4000];
	size_t n = 0;
	int i;

	for (i = 0; i < argc && n < sizeof(line); i++)
		n += (size_t)snprintf(line + n, sizeof(line) - n, "%s%s",
		    i > 0 ? " " : "", argv[i]);
	if (n >= sizeof(line)) {
		fputs("micro: the question is too long\n", stderr);
		return 2;
	}
	return serve_ask(path, line);
}

int
main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	int status = 0;

	reply_to(stdout);
	if (strcmp(verb, "list") == 0)
		list();
	else if (strcmp(verb, "about") == 0) {
		world_init(&world);
		about();
		world_fini(&world);
	} else if (strcmp(verb, "role") == 0 && argc > 2)
		return role_play(argv[2], argc > 3 ? argv[3] : NULL);
	else if (strcmp(verb, "ask") == 0 && argc > 3)
		return ask(argv[2], argc - 3, argv + 3);
	else if (strcmp(verb, "run") == 0 && argc > 2) {
		world_init(&world);
		run(argv[2], percent_of(argc > 3 ? argv[3] : NULL));
		world_fini(&world);
	} else if (strcmp(verb, "serve") == 0 && argc > 2) {
		if (argc > 3 && strcmp(argv[3], "host") == 0)
			proc_set_root(getppid());
		world_init(&world);
		status = serve(argv[2], answer);
		world_fini(&world);
	} else {
		fputs("usage: micro list | about | run NAME [PERCENT] | "
		    "serve SOCKET [host] | ask SOCKET QUESTION...\n", stderr);
		status = 2;
	}
	return status;
}
