/* SPDX-License-Identifier: ISC */
/*
 * vgpuctl - asks a running vgpu-hostd what it has, who uses it and why.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgpuctl/ask.h"
#include "vgpuctl/show.h"

enum { OPTION_JSON = 256 };

static const struct {
	const char *name;
	const char *argument;	/* what it is called; NULL: there is none */
	void (*show)(const json_t *);
	const char *what;
} commands[] = {
	{ "devices", NULL, show_devices, "what is in the pool, who uses it" },
	{ "drain", "device", show_drained,
	    "free a device: nothing new, and what can moves" },
	{ "explain", "session", show_explain,
	    "why a session has the devices that it has" },
	{ "reload", NULL, show_reload, "read the configuration again" },
	{ "rescan", NULL, show_done, "look for devices again" },
	{ "sessions", NULL, show_sessions, "who is there" },
	{ "status", NULL, show_status, "the daemon in numbers" },
	{ "undrain", "device", show_done, "use a device again" },
	{ .name = NULL },
};

static void
usage(FILE *to)
{
	char command[32];
	size_t i;

	fprintf(to, "usage: vgpuctl [-h] [--json] [-s socket] command "
	    "[argument]\n"
	    "Ask a running vgpu-hostd.\n");
	for (i = 0; commands[i].name != NULL; i++) {
		snprintf(command, sizeof(command), "%s%s%s", commands[i].name,
		    commands[i].argument != NULL ? " " : "",
		    commands[i].argument != NULL ? commands[i].argument : "");
		fprintf(to, "  %-17s%s\n", command, commands[i].what);
	}
	fprintf(to, "  -h               print this\n"
	    "  --json           print the daemon's answer as it is\n"
	    "  -s socket        where to ask (default: $VGPU_CONTROL, else\n"
	    "                   " ASK_SOCKET ")\n");
}

static int
wrong(const char *format, const char *what)
{
	fprintf(stderr, "vgpuctl: ");
	fprintf(stderr, "%s \"%s\"\n", format, what);
	return 2;
}

/* The place of a command's name in the table; -1: there is none. */
static int
find(const char *name)
{
	int i;

	for (i = 0; commands[i].name != NULL; i++)
		if (strcmp(commands[i].name, name) == 0)
			return i;
	return -1;
}

static int
run(const char *path, int command, const char *argument, bool json)
{
	const char *error;
	struct err_text text = { "" };
	char question[256];
	json_t *answer;

	snprintf(question, sizeof(question), "%s%s%s", commands[command].name,
	    argument != NULL ? " " : "", argument != NULL ? argument : "");
	if (ask(path, question, &answer, &text) != VGPU_OK) {
		fprintf(stderr, "vgpuctl: %s\n", text.s);
		return 1;
	}
	error = json_string_value(json_object_get(answer, "error"));
	if (json) {
		json_dumpf(answer, stdout, JSON_INDENT(2));
		printf("\n");
	} else if (error != NULL)
		fprintf(stderr, "vgpuctl: %s\n", error);
	else
		commands[command].show(answer);
	json_decref(answer);
	return error != NULL;
}

static const char *
default_socket(void)
{
	const char *env = getenv("VGPU_CONTROL");

	return env != NULL && env[0] != '\0' ? env : ASK_SOCKET;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, OPTION_JSON },
		{ "help", no_argument, NULL, 'h' },
		{ .name = NULL },
	};
	const char *path = default_socket();
	bool json = false;
	int c, command, left;

	while ((c = getopt_long(argc, argv, "hs:", options, NULL)) != -1)
		switch (c) {
		case OPTION_JSON:
			json = true;
			break;
		case 's':
			path = optarg;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	if (optind == argc) {
		usage(stderr);
		return 2;
	}
	if ((command = find(argv[optind])) < 0)
		return wrong("there is no command", argv[optind]);
	left = argc - optind - 1;
	if (commands[command].argument != NULL && left < 1)
		return wrong("expected a", commands[command].argument);
	if (left > (commands[command].argument != NULL))
		return wrong("unexpected argument", argv[argc - 1]);
	return run(path, command, left > 0 ? argv[optind + 1] : NULL, json);
}
