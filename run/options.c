/* SPDX-License-Identifier: ISC */
#include "run/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_VENDORS = 256, OPTION_AS, OPTION_VIEW };

static const struct option long_options[] = {
	{ "vendors", required_argument, NULL, OPTION_VENDORS },
	{ "as", required_argument, NULL, OPTION_AS },
	{ "view", required_argument, NULL, OPTION_VIEW },
	{ "help", no_argument, NULL, 'h' },
	{ .name = NULL },
};

static void
usage(FILE *to)
{
	fprintf(to, "usage: vgpu-run [-hkv] [-c file] [-t transport] "
	    "[--as type] [--vendors folder]\n"
	    "                [--view name] [--] command [argument]...\n"
	    "Run a command whose OpenCL devices are served by a private "
	    "vgpu-hostd.\n"
	    "  --as type         show CPU devices as gpu, cpu or accelerator\n"
	    "  -c file           begin with this configuration of a daemon\n"
	    "  -h                print this\n"
	    "  -k                keep the native platforms visible too\n"
	    "  -t transport      tls (default), or local\n"
	    "  -v                show the daemon's log; twice: all of it\n"
	    "  --vendors folder  .icd files for the daemon (default: the\n"
	    "                    system's)\n"
	    "  --view name       how devices are shown: physical, class or "
	    "single\n");
}

static int
wrong(const char *what, const char *value, const char *expected)
{
	fprintf(stderr, "vgpu-run: %s \"%s\": expected %s\n", what, value,
	    expected);
	return 2;
}

static int
take_transport(const char *name, struct options *o)
{
	o->local = strcmp(name, "local") == 0;
	if (o->local || strcmp(name, "tls") == 0)
		return -1;
	return wrong("transport", name, "tls or local");
}

static int
check_type(const char *name)
{
	if (strcmp(name, "gpu") == 0 || strcmp(name, "cpu") == 0 ||
	    strcmp(name, "accelerator") == 0)
		return -1;
	return wrong("--as", name, "gpu, cpu or accelerator");
}

static int
check_view(const char *name)
{
	if (strcmp(name, "physical") == 0 || strcmp(name, "class") == 0 ||
	    strcmp(name, "single") == 0)
		return -1;
	return wrong("--view", name, "physical, class or single");
}

/* -1: go on. */
static int
take(int c, const char *value, struct options *o)
{
	switch (c) {
	case 'c':
		o->conf = value;
		return -1;
	case 'h':
		usage(stdout);
		return 0;
	case 'k':
		o->keep = true;
		return -1;
	case 't':
		return take_transport(value, o);
	case 'v':
		o->verbose++;
		return -1;
	case OPTION_VENDORS:
		o->vendors = value;
		return -1;
	case OPTION_AS:
		o->as = value;
		return check_type(value);
	case OPTION_VIEW:
		o->view = value;
		return check_view(value);
	default:
		usage(stderr);
		return 2;
	}
}

int
options_read(int argc, char **argv, struct options *o)
{
	int c, rc;

	memset(o, 0, sizeof(*o));
	/* "+": the command's own options are not ours */
	while ((c = getopt_long(argc, argv, "+c:hkt:v", long_options,
	    NULL)) != -1)
		if ((rc = take(c, optarg, o)) >= 0)
			return rc;
	if (optind == argc) {
		fprintf(stderr, "vgpu-run: no command given\n");
		usage(stderr);
		return 2;
	}
	o->command = argv + optind;
	return -1;
}
