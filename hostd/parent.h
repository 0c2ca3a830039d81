/* SPDX-License-Identifier: ISC */
/*
 * parent - the trusted process: configuration, sockets, private key, ledger.
 *
 * It never reads a byte of a client's and never loads a vendor's library.  It
 * lets probes find the devices, gives each connection to a session process,
 * signs for it, decides whether its client is admitted, and counts.
 */
#ifndef VGPU_HOSTD_PARENT_H
#define VGPU_HOSTD_PARENT_H

#include <stdbool.h>

#include "hostd/conf.h"

struct parent_options {
	struct conf_source source;
	bool debug;		/* log everything */
};

/* Run until told to end (SIGTERM, SIGINT).  Returns the exit status. */
int parent_main(const struct parent_options *);

/*
 * Check a configuration and the files that it names, and print
 * "configuration OK" or what is wrong.  Returns the exit status.
 */
int parent_check(const struct conf_source *);

#endif
