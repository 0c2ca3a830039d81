/* SPDX-License-Identifier: ISC */
/*
 * hostile_arena - what a client may do to memory that it shares with a host.
 */
#ifndef VGPU_TESTS_REGRESS_HOSTILE_ARENA_H
#define VGPU_TESTS_REGRESS_HOSTILE_ARENA_H

struct peer;

/*
 * After the handshake: places that are none, windows that nobody opened, memory
 * that changes while it is read.  Prints "as it should be" if the host refused
 * what it has to and still carries out the rest; what it then says to a place
 * for an image is the caller's to hear.
 */
void hostile_arena(struct peer *);

#endif
