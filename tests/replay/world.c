/* SPDX-License-Identifier: ISC */
#include "tests/replay/world.h"

uint64_t c, q, p;

const char *const source =
    "kernel void add(global int *a, global int *b, global int *out) {}\n"
    "__kernel void copy(__global const int *in, global int *out) {}\n"
    "kernel void say(int n) { printf(\"say %d\\n\", n); }\n"
    "kernel void sleep(ulong ns) {}\n"
    "kernel void fail(void) {}\n"
    "kernel void quiet(local float4 *scratch) {}\n";

void
begin(const char *script, cl_command_queue_properties properties)
{
	host_start_ready(script);
	c = context();
	q = queue(c, properties);
}

void
begin_program(const char *script, cl_command_queue_properties properties)
{
	begin(script, properties);
	p = program(c, source);
}

struct arg
memory(uint32_t index, const uint64_t *id)
{
	return (struct arg){ index, ARG_MEM, sizeof(*id), id };
}

struct arg
number(uint32_t index, const int *n)
{
	return (struct arg){ index, ARG_VALUE, sizeof(*n), n };
}
