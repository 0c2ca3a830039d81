/* SPDX-License-Identifier: ISC */
/*
 * world - what most scenarios begin with: a context, a queue, and where they
 * want them a program or bodies.
 */
#ifndef VGPU_TESTS_REPLAY_WORLD_H
#define VGPU_TESTS_REPLAY_WORLD_H

#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu; "
#define ORDER_FREE CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE

/* Masks of watch. */
#define COMPLETE 1u
#define RUNNING 2u
#define SUBMITTED 4u

/* Of the host that was begun last: a context, a queue of its first device. */
extern uint64_t c, q;
void begin(const char *script, cl_command_queue_properties);

/* The same, and a program that is built: of add, copy, say, sleep, fail, quiet. */
extern uint64_t p;
extern const char *const source;
void begin_program(const char *script, cl_command_queue_properties);

/* Arguments; id and n are used when the launch is said. */
struct arg memory(uint32_t index, const uint64_t *id);
struct arg number(uint32_t index, const int *n);

#endif
