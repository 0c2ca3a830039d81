/* SPDX-License-Identifier: ISC */
/*
 * mutable - a launch in a command buffer that may be changed.
 */
#ifndef VGPU_CONFORMANCE_CALLS_MUTABLE_H
#define VGPU_CONFORMANCE_CALLS_MUTABLE_H

#include "conformance/calls/recording.h"

/* Record one whose global size alone may change; the world's kernel is run. */
mutable_command mutable_record(struct world *, command_buffer);

#endif
