/* SPDX-License-Identifier: ISC */
/*
 * direct - bodies that land in a buffer's own memory, or leave from it.
 *
 * Where a device's memory is the host's, staging would only cost a copy.  A
 * write is a map and an unmap there: the body lands in what was mapped, once
 * that is so, and the unmap, which is the command for everyone else, waits
 * for it behind a gate.  A body that arrives long before its map is complete
 * lands in staging memory after all and is copied.  A read that the program
 * waits for is a map, from which the body is sent, and an unmap behind a gate
 * that opens when it has left; other reads are staged, as their queue should
 * not wait for the network.
 *
 * False: nothing was done, the command has to be staged.  True: it is closed.
 */
#ifndef VGPU_HOSTD_DIRECT_H
#define VGPU_HOSTD_DIRECT_H

#include "hostd/command.h"

struct vmem;

bool direct_write(struct command *, const struct vmem *, size_t offset,
    size_t size, uint64_t transfer);

bool direct_read(struct command *, const struct vmem *, size_t offset,
    size_t size, uint64_t transfer);

#endif
