/* SPDX-License-Identifier: ISC */
/*
 * stamps - when a command was queued, submitted, begun and ended, as the client
 * is told in a queue that profiles.
 *
 * It was queued when the message came, whatever kept the host from giving it to
 * the vendor; and in a context of several vendors all go by one clock.
 */
#ifndef VGPU_HOSTD_STAMPS_H
#define VGPU_HOSTD_STAMPS_H

#include "hostd/serve.h"

/* Of CL_PROFILING_COMMAND_QUEUED to _COMPLETE. */
#define STAMPS 5

/* Of a command that is complete.  False: the vendor does not tell. */
bool stamps_read(const struct vevent *, cl_ulong stamp[STAMPS]);

#endif
