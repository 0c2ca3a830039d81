/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* memfd's seals */
#include "tests/regress/hostile_arena.h"

#include <CL/cl.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "protocol/shared.h"
#include "tests/regress/peer.h"

#define SIZE ((size_t)256 << 10)
#define ID(slot) (UINT64_C(1) << 32 | (slot))
#define DEVICE ID(1)
#define CONTEXT ID(101)
#define QUEUE ID(102)
#define PLAIN ID(103)
#define PLACED ID(104)
#define OVERLAPPING ID(105)
#define IMAGE ID(106)

static uint8_t *arena;
static uint64_t size;
static uint64_t last = ID(200);

static uint64_t
next_id(void)
{
	return ++last;
}

/* The descriptor that comes along with the next byte. */
static int
take_descriptor(const struct peer *c)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control) };
	int fd;

	if (recvmsg(c->fd, &h, MSG_PEEK) != 1 || CMSG_FIRSTHDR(&h) == NULL)
		peer_die("no descriptor with welcome");
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&h)), sizeof(fd));
	return fd;
}

/* Neither its size nor its seals are the client's to change. */
static void
open_arena(struct peer *c)
{
	struct msg_hello hello = peer_hello;
	struct stat st;
	int fd;

	hello.features = FEATURE_ARENA;
	peer_put_message(c, &desc_hello, &hello);
	fd = take_descriptor(c);
	if (!peer_hear(c) || peer_heard.message->number != MSG_welcome)
		peer_die("welcome");
	if (fstat(fd, &st) != 0 || ftruncate(fd, 0) == 0 ||
	    ftruncate(fd, st.st_size + 4096) == 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0)
		peer_die("the arena can be changed");
	size = (uint64_t)st.st_size;
	arena = mmap(NULL, 4 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    0);
	if (arena == MAP_FAILED)
		peer_die("mmap");
	close(fd);
}

static void
make_buffer(struct peer *c, uint64_t id, uint64_t transfer)
{
	const struct msg_clCreateBufferWithProperties m = {
		.context.id = CONTEXT, .flags = CL_MEM_READ_WRITE,
		.size = SIZE, .transfer = transfer, .id.id = id };

	peer_put_message(c, &desc_clCreateBufferWithProperties, &m);
}

static void
make_objects(struct peer *c)
{
	static const uint64_t device = DEVICE;
	const struct msg_clCreateContext m = { .devices = { &device, 1 },
		.id.id = CONTEXT };
	const struct msg_clCreateCommandQueueWithProperties q = {
		.context.id = CONTEXT, .device.id = DEVICE, .id.id = QUEUE };

	peer_put_message(c, &desc_clCreateContext, &m);
	peer_put_message(c, &desc_clCreateCommandQueueWithProperties, &q);
	make_buffer(c, PLAIN, 0);
	make_buffer(c, PLACED, transfer_make(TRANSFER_OWN, 0));
	make_buffer(c, OVERLAPPING, transfer_make(TRANSFER_OWN, 100));
}

static void
await_failure(struct peer *c, const char *what)
{
	const struct msg_event_status *m = (const void *)peer_heard.msg;

	do
		if (!peer_hear(c))
			peer_die(what);
	while (peer_heard.message->number != MSG_event_status ||
	    m->event != last);
	if (m->execution_status >= 0)
		peer_die(what);
}

static void
bad_buffer(struct peer *c, uint64_t offset)
{
	make_buffer(c, next_id(), transfer_make(TRANSFER_OWN, offset));
	if (!peer_hear(c) || peer_heard.message->number != MSG_object_error)
		peer_die("a buffer outside of the arena");
}

static void
put_read(struct peer *c, uint64_t b, uint64_t transfer)
{
	const struct msg_clEnqueueReadBuffer m = { .command_queue.id = QUEUE,
		.buffer.id = b, .size = SIZE, .event.id = next_id(),
		.transfer = transfer };

	peer_put_message(c, &desc_clEnqueueReadBuffer, &m);
}

static void
put_write(struct peer *c, uint64_t b, uint64_t transfer)
{
	const struct msg_clEnqueueWriteBuffer m = { .command_queue.id = QUEUE,
		.buffer.id = b, .size = SIZE, .event.id = next_id(),
		.transfer = transfer };

	peer_put_message(c, &desc_clEnqueueWriteBuffer, &m);
}

/* What is refused: places outside, and windows of what is the device's. */
static void
refused(struct peer *c)
{
	const uint64_t outside[] = { size, size - SIZE + 1, TRANSFER_REST };
	size_t i;

	for (i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
		bad_buffer(c, outside[i]);
		put_read(c, PLAIN, transfer_make(TRANSFER_PLACE, outside[i]));
		await_failure(c, "a read to outside of the arena");
		put_write(c, PLAIN, transfer_make(TRANSFER_PLACE, outside[i]));
		await_failure(c, "a write from outside of the arena");
	}
	put_read(c, PLAIN, transfer_make(TRANSFER_WINDOW, 1));
	await_failure(c, "a window of a buffer of the device's");
	put_write(c, PLAIN, transfer_make(TRANSFER_OWN, 0));
	await_failure(c, "a write of a buffer of the device's");
}

static void
put_window_close(struct peer *c, uint64_t id)
{
	const struct msg_window_close m = { .id = id };

	peer_put_message(c, &desc_window_close, &m);
}

/* What does harm to nobody but the client. */
static void
suffered(struct peer *c)
{
	const struct msg_gate gate = { .command_queue.id = QUEUE, .id = 7 };
	int i;

	put_window_close(c, 4711);
	put_window_close(c, TRANSFER_REST);
	for (i = 0; i < 3; i++)
		peer_put_message(c, &desc_gate, &gate);
	put_read(c, PLACED, transfer_make(TRANSFER_WINDOW, 7));
	put_write(c, OVERLAPPING, transfer_make(TRANSFER_WINDOW, 7));
	/* Closed before they are open, and once more than there are. */
	for (i = 0; i < 6; i++)
		put_window_close(c, 7);
	for (i = 0; i < 20; i++) {
		put_write(c, PLACED, transfer_make(TRANSFER_PLACE, 2 * SIZE));
		memset(arena + 2 * SIZE, i, SIZE);
		put_read(c, PLAIN, transfer_make(TRANSFER_PLACE, 2 * SIZE));
		memset(arena, i, 3 * SIZE);
	}
}

static void
finish(struct peer *c)
{
	const struct msg_clFinish m = { .command_queue.id = QUEUE };

	peer_put_message(c, &desc_clFinish, &m);
	do
		if (!peer_hear(c))
			peer_die("finish");
	while (peer_heard.message->number != MSG_clFinish);
	puts("as it should be");
}

static void
bad_image(struct peer *c)
{
	const struct msg_clCreateImageWithProperties m = {
		.context.id = CONTEXT, .flags = CL_MEM_READ_WRITE,
		.channel_order = CL_RGBA, .channel_data_type =
		CL_UNSIGNED_INT8, .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 64, .image_height = 64,
		.transfer = transfer_make(TRANSFER_PLACE, size - 1),
		.id.id = IMAGE };

	peer_put_message(c, &desc_clCreateImageWithProperties, &m);
}

void
hostile_arena(struct peer *c)
{
	open_arena(c);
	make_objects(c);
	refused(c);
	suffered(c);
	finish(c);
	bad_image(c);
}
