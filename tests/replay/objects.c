/* SPDX-License-Identifier: ISC */
#include "tests/replay/objects.h"

#include <string.h>

static uint32_t last_slot = 100;	/* devices are below */

uint64_t
new_id(void)
{
	return (uint64_t)1 << 32 | ++last_slot;
}

uint64_t
context(void)
{
	static const uint64_t device[] = { DEVICE(0) };
	const struct msg_clCreateContext m = { .devices = { device, 1 },
		.id = { .id = new_id() } };

	say(&desc_clCreateContext, &m, 0);
	return m.id.id;
}

uint64_t
queue(uint64_t c, cl_command_queue_properties properties)
{
	const uint64_t list[] = { CL_QUEUE_PROPERTIES, properties };
	const struct msg_clCreateCommandQueueWithProperties m = {
		.context = { .id = c }, .device = { .id = DEVICE(0) },
		.property_list = { list, properties != 0 ? 2 : 0 },
		.id = { .id = new_id() } };

	say(&desc_clCreateCommandQueueWithProperties, &m, 0);
	return m.id.id;
}

uint64_t
buffer_with(uint64_t c, const void *p, size_t size)
{
	const struct msg_clCreateBufferWithProperties m = {
		.context = { .id = c }, .flags = CL_MEM_READ_WRITE,
		.size = size, .data = { p, p != NULL ? size : 0 },
		.id = { .id = new_id() } };

	say(&desc_clCreateBufferWithProperties, &m, 0);
	return m.id.id;
}

uint64_t
buffer(uint64_t c, size_t size)
{
	return buffer_with(c, NULL, size);
}

uint64_t
user_event(uint64_t c)
{
	const struct msg_clCreateUserEvent m = { .context = { .id = c },
		.id = { .id = new_id() } };

	say(&desc_clCreateUserEvent, &m, 0);
	return m.id.id;
}

void
set_user_event(uint64_t event, cl_int status)
{
	const struct msg_clSetUserEventStatus m = { .event = { .id = event },
		.execution_status = status };

	say(&desc_clSetUserEventStatus, &m, 0);
}

void
release(uint64_t id)
{
	const struct msg_release m = { .object = id };

	say(&desc_release, &m, 0);
}

void
watch(uint64_t event, unsigned mask)
{
	const struct msg_watch m = { .event = { .id = event }, .mask = mask };

	say(&desc_watch, &m, 0);
}

/* ---- commands ------------------------------------------------------------ */

static uint64_t
event_id(enum telling t)
{
	return t == NO_EVENT ? 0 : new_id();
}

static unsigned
frame_flags(enum telling t)
{
	return t == TELL ? FRAME_NOTIFY : 0;
}

uint64_t
marker(uint64_t q, struct span wait, enum telling t)
{
	const struct msg_clEnqueueMarkerWithWaitList m = {
		.command_queue = { .id = q }, .event_wait_list = wait,
		.event = { .id = event_id(t) } };

	say(&desc_clEnqueueMarkerWithWaitList, &m, frame_flags(t));
	return m.event.id;
}

uint64_t
barrier(uint64_t q, struct span wait, enum telling t)
{
	const struct msg_clEnqueueBarrierWithWaitList m = {
		.command_queue = { .id = q }, .event_wait_list = wait,
		.event = { .id = event_id(t) } };

	say(&desc_clEnqueueBarrierWithWaitList, &m, frame_flags(t));
	return m.event.id;
}

static uint64_t
write_any(struct msg_clEnqueueWriteBuffer m, enum telling t, unsigned flags)
{
	m.event.id = event_id(t);
	say(&desc_clEnqueueWriteBuffer, &m, flags | frame_flags(t));
	return m.event.id;
}

uint64_t
write_inline(uint64_t q, uint64_t b, size_t offset, const void *p, size_t size,
    struct span wait, enum telling t)
{
	return write_any((struct msg_clEnqueueWriteBuffer){
	    .command_queue = { .id = q }, .buffer = { .id = b },
	    .offset = offset, .size = size, .event_wait_list = wait,
	    .data = { p, size } }, t, 0);
}

uint64_t
write_body(uint64_t q, uint64_t b, size_t offset, size_t size,
    uint64_t transfer, struct span wait, enum telling t, unsigned flags)
{
	return write_any((struct msg_clEnqueueWriteBuffer){
	    .command_queue = { .id = q }, .buffer = { .id = b },
	    .offset = offset, .size = size, .event_wait_list = wait,
	    .transfer = transfer }, t, flags);
}

uint64_t
read_buffer(uint64_t q, uint64_t b, size_t offset, size_t size,
    uint64_t transfer, struct span wait, enum telling t)
{
	const struct msg_clEnqueueReadBuffer m = { .command_queue = { .id = q },
		.buffer = { .id = b }, .offset = offset, .size = size,
		.event_wait_list = wait, .event = { .id = event_id(t) },
		.transfer = transfer };

	say(&desc_clEnqueueReadBuffer, &m, frame_flags(t));
	return m.event.id;
}

uint64_t
finish(uint64_t q)
{
	const struct msg_clFinish m = { .command_queue = { .id = q } };

	return say(&desc_clFinish, &m, 0);
}

void
expect_finish(uint64_t serial, cl_int status)
{
	const struct reply_clFinish *r = expect_reply(&desc_clFinish, serial);

	assert_int_equal(r->status, status);
}

void
expect_credit(uint64_t size)
{
	const struct msg_credit *m = expect(&desc_credit);

	assert_int_equal(m->size, size);
}

void
expect_data(uint64_t transfer, const void *p, size_t size)
{
	const struct heard *h = hear();
	const struct msg_data *m = (const void *)h->msg;

	assert_ptr_equal(h->message, &desc_data);
	assert_int_equal(m->transfer, transfer);
	assert_int_equal(m->offset, 0);
	assert_int_equal(m->size, size);
	assert_memory_equal(h->tail, p, size);
}

/* ---- programs ------------------------------------------------------------ */

uint64_t
source_program(uint64_t c, const char *source)
{
	const struct msg_clCreateProgramWithSource m = {
		.context = { .id = c }, .source = { source, strlen(source) },
		.id = { .id = new_id() } };

	say(&desc_clCreateProgramWithSource, &m, 0);
	return m.id.id;
}

uint64_t
program(uint64_t c, const char *source)
{
	const struct msg_clBuildProgram build = {
		.program = { .id = source_program(c, source) } };
	const struct reply_clBuildProgram *r;

	r = expect_reply(&desc_clBuildProgram, say(&desc_clBuildProgram,
	    &build, 0));
	assert_int_equal(r->status, CL_SUCCESS);
	return build.program.id;
}

uint64_t
kernel(uint64_t p, const char *name)
{
	const struct msg_clCreateKernel m = { .program = { .id = p },
		.kernel_name = { name, strlen(name) },
		.id = { .id = new_id() } };

	say(&desc_clCreateKernel, &m, 0);
	return m.id.id;
}

uint64_t
launch(uint64_t q, uint64_t k, size_t n, const struct arg *args,
    unsigned arg_count, struct span wait, enum telling t)
{
	const uint64_t global[] = { n };
	const struct msg_clEnqueueNDRangeKernel m = {
		.command_queue = { .id = q }, .kernel = { .id = k },
		.work_dim = 1, .global_work_size = { global, 1 },
		.event_wait_list = wait, .event = { .id = event_id(t) },
		.args = { args, arg_count } };

	say(&desc_clEnqueueNDRangeKernel, &m, frame_flags(t));
	return m.event.id;
}
