/* SPDX-License-Identifier: ISC */
/*
 * vgpu-run - runs one command with a private vgpu-hostd around it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/command.h"
#include "run/daemon.h"
#include "run/folder.h"
#include "run/options.h"

#define SYSTEM_VENDORS "/etc/OpenCL/vendors"
#define TIMEOUT_MS "60000" /* the daemon is there, if slow on a busy machine */
#define OWN_FAILURE 125 /* as env(1), timeout(1) and others say it */

static const char *
from_environment(const char *name, const char *otherwise)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0' ? v : otherwise;
}

static enum vgpu_err
prepare(const struct folder *f, const struct options *o, struct daemon *d,
    struct err_text *text)
{
	const char *native = o->vendors != NULL ? o->vendors : SYSTEM_VENDORS;
	enum vgpu_err rc;

	if ((rc = folder_vendors(f, from_environment("VGPU_ICD", ICD_PATH),
	    o->keep ? native : NULL, text)) != VGPU_OK ||
	    (!o->local && (rc = folder_certify(f, text)) != VGPU_OK) ||
	    (rc = daemon_start(d, from_environment("VGPU_HOSTD", HOSTD_PATH),
	    f, o, text)) != VGPU_OK)
		return rc;
	return daemon_wait(d, f, command_interrupted, text);
}

/* What makes the command's OpenCL that of the daemon. */
static void
set_environment(const struct folder *f, const struct daemon *d)
{
	char text[PATH_MAX], url[PATH_MAX + 16];

	setenv("VGPU_CA", folder_file(f, "ca.pem", text), 1);
	setenv("VGPU_CERT", folder_file(f, "client.pem", text), 1);
	setenv("VGPU_KEY", folder_file(f, "client.key", text), 1);
	if (d->port != 0)
		snprintf(url, sizeof(url), "vgpu://127.0.0.1:%u", d->port);
	else
		snprintf(url, sizeof(url), "vgpu+unix:%s",
		    folder_file(f, FOLDER_SOCKET, text));
	setenv("VGPU_HOST", url, 1);
	setenv("VGPU_CONTROL", folder_file(f, FOLDER_CONTROL, text), 1);
	setenv("VGPU_TIMEOUT", TIMEOUT_MS, 0);
	/* the second name is for older loaders, which programs bring along */
	folder_file(f, "vendors", text);
	setenv("OCL_ICD_VENDORS", text, 1);
	setenv("OPENCL_VENDOR_PATH", text, 1);
	unsetenv("OCL_ICD_FILENAMES");
}

int
main(int argc, char **argv)
{
	struct daemon daemon = { .pid = -1 };
	struct err_text text = { "" };
	struct options options;
	struct folder folder;
	enum vgpu_err rc;
	int status;

	if ((status = options_read(argc, argv, &options)) >= 0)
		return status;
	command_block_signals();
	if (folder_make(&folder, options.local, &text) != VGPU_OK) {
		fprintf(stderr, "vgpu-run: %s\n", text.s);
		return OWN_FAILURE;
	}
	rc = prepare(&folder, &options, &daemon, &text);
	if (rc == VGPU_OK) {
		set_environment(&folder, &daemon);
		status = command_run(options.command, &daemon.pid);
	} else if (rc == VGPU_EAGAIN)
		status = 128 + command_signal();
	else {
		fprintf(stderr, "vgpu-run: %s\n", text.s);
		status = OWN_FAILURE;
	}
	daemon_stop(&daemon);
	folder_remove(&folder);
	return status;
}
