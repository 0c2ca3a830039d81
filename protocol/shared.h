/* SPDX-License-Identifier: ISC */
/*
 * shared - bodies that cross no socket.
 *
 * Two processes of one machine have an arena: a file in memory that the host
 * made and both have mapped.  The client alone gives out places in it.  A
 * message's transfer says by its upper bits what becomes of a body:
 *
 *	TRANSFER_LANES	it travels, as transfer.h and staging.h have it
 *	TRANSFER_PLACE	it is to be found, or put, at an offset of the arena
 *	TRANSFER_WINDOW	the client moves it when the host says that the command
 *			could run, and the host waits until it has
 *	TRANSFER_OWN	the client has moved it, or will, and nobody waits: only
 *			the command's place in the order counts.  Of a buffer's
 *			creation: the buffer itself lies at an offset
 */
#ifndef VGPU_PROTOCOL_SHARED_H
#define VGPU_PROTOCOL_SHARED_H

#include <stdint.h>

enum transfer_kind {
	TRANSFER_LANES, TRANSFER_PLACE, TRANSFER_WINDOW, TRANSFER_OWN
};

#define TRANSFER_SHIFT 62
#define TRANSFER_REST ((UINT64_C(1) << TRANSFER_SHIFT) - 1)

static inline enum transfer_kind
transfer_kind(uint64_t transfer)
{
	return (enum transfer_kind)(transfer >> TRANSFER_SHIFT);
}

static inline uint64_t
transfer_make(enum transfer_kind kind, uint64_t rest)
{
	return (uint64_t)kind << TRANSFER_SHIFT | rest;
}

/* In hello: the client takes an arena.  In welcome: it comes along. */
#define FEATURE_ARENA UINT64_C(1)

/* In a device's infoset: buffers in the arena are the device's memory. */
#define DEVICE_SHARES_MEMORY UINT32_C(0x76670001)

#endif
