/* SPDX-License-Identifier: ISC */
/*
 * objects - shorthands of scenarios: what each makes gets the next free id.
 *
 * They say their message and do not wait for anything, unless told.
 */
#ifndef VGPU_TESTS_REPLAY_OBJECTS_H
#define VGPU_TESTS_REPLAY_OBJECTS_H

#include "tests/replay/scenario.h"

/* The next free id. */
uint64_t new_id(void);

/* Events to wait for. */
#define AFTER(...) (const struct span){ (const uint64_t[]){ __VA_ARGS__ }, \
	sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t) }
#define AFTER_NOTHING (struct span){ NULL, 0 }

/* How a command's event is treated. */
enum telling {
	NO_EVENT,	/* it has none */
	QUIET,		/* it is told when somebody asks */
	TELL		/* FRAME_NOTIFY */
};

uint64_t context(void);
uint64_t queue(uint64_t context, cl_command_queue_properties);
uint64_t buffer(uint64_t context, size_t size);
uint64_t buffer_with(uint64_t context, const void *, size_t size);
uint64_t user_event(uint64_t context);
void set_user_event(uint64_t event, cl_int status);
void release(uint64_t id);
void watch(uint64_t event, unsigned mask);

/* Commands return their events, 0 for NO_EVENT. */
uint64_t marker(uint64_t queue, struct span wait, enum telling);
uint64_t barrier(uint64_t queue, struct span wait, enum telling);

/* Content in the message itself. */
uint64_t write_inline(uint64_t queue, uint64_t buffer, size_t offset,
    const void *, size_t size, struct span wait, enum telling);
/* Content by the data lane; FRAME_PULL where the host is to ask for it. */
uint64_t write_body(uint64_t queue, uint64_t buffer, size_t offset,
    size_t size, uint64_t transfer, struct span wait, enum telling,
    unsigned flags);
uint64_t read_buffer(uint64_t queue, uint64_t buffer, size_t offset,
    size_t size, uint64_t transfer, struct span wait, enum telling);

/* A program that is not built. */
uint64_t source_program(uint64_t context, const char *source);
/* Build a program and wait for it; its kernels can then be made. */
uint64_t program(uint64_t context, const char *source);
uint64_t kernel(uint64_t program, const char *name);
/* One work item group of n; args as codec_encode takes them. */
uint64_t launch(uint64_t queue, uint64_t kernel, size_t n,
    const struct arg *args, unsigned arg_count, struct span wait,
    enum telling);

/* Say clFinish; its serial. */
uint64_t finish(uint64_t queue);
/* The next message is its reply, of this status. */
void expect_finish(uint64_t serial, cl_int status);

/* The next message gives back the credit of an eager body. */
void expect_credit(uint64_t size);

/* The body of a read on the control lane: the next message. */
void expect_data(uint64_t transfer, const void *, size_t size);

#endif
