/* SPDX-License-Identifier: ISC */
/*
 * vgpu-hostd - one program for the four kinds of process of a host.  The
 * parent is what people start; it starts the others from this same file.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hostd/builder.h"
#include "hostd/conf.h"
#include "hostd/parent.h"
#include "hostd/probe.h"
#include "hostd/session.h"
#include "hostd/title.h"

#define OVER_MAX 32

static void
usage(FILE *to)
{
	fprintf(to, "usage: vgpu-hostd [-dhn] [-f file] [-o line]...\n"
	    "  -d       log everything that happens\n"
	    "  -f file  configuration (default " CONF_FILE ")\n"
	    "  -h       print this\n"
	    "  -n       check the configuration, and end\n"
	    "  -o line  a line of configuration that goes over the file's\n");
}

/* Nothing that is opened later may be taken for standard output. */
static void
open_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int
main(int argc, char **argv)
{
	const char *over[OVER_MAX + 1] = { NULL };
	struct parent_options options = { .source = { CONF_FILE, over } };
	unsigned overs = 0;
	bool check = false;
	int c;

	open_standard();
	/* inherited as ignored, it would hide how children end */
	signal(SIGCHLD, SIG_DFL);
	title_init(argc, argv);
	if (argc > 1 && strcmp(argv[1], SESSION_ROLE) == 0)
		return session_main(false);
	if (argc > 1 && strcmp(argv[1], SESSION_ROLE_BARE) == 0)
		return session_main(true);
	if (argc > 1 && strcmp(argv[1], PROBE_ROLE) == 0)
		return probe_main();
	if (argc > 1 && strcmp(argv[1], BUILDER_ROLE) == 0)
		return builder_main();
	while ((c = getopt(argc, argv, "df:hno:")) != -1)
		switch (c) {
		case 'd':
			options.debug = true;
			break;
		case 'f':
			options.source.file = optarg;
			break;
		case 'h':
			usage(stdout);
			return 0;
		case 'n':
			check = true;
			break;
		case 'o':
			if (overs == OVER_MAX) {
				fprintf(stderr, "vgpu-hostd: more than %d "
				    "times -o\n", OVER_MAX);
				return 2;
			}
			over[overs++] = optarg;
			break;
		default:
			usage(stderr);
			return 2;
		}
	if (optind < argc) {
		fprintf(stderr, "vgpu-hostd: unexpected argument \"%s\"\n",
		    argv[optind]);
		usage(stderr);
		return 2;
	}
	return check ? parent_check(&options.source) : parent_main(&options);
}
