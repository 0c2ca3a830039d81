/* SPDX-License-Identifier: ISC */
/*
 * transfer - commands that move bytes.  Each is one copy of a box between two
 * places, or of a pattern into one.
 */
#include "tests/fakecl/calls.h"

#include <string.h>

#include "tests/fakecl/engine.h"
#include "tests/fakecl/memory.h"

/* A place in memory: lines and planes lie row and slice bytes apart. */
struct place {
	unsigned char *at;
	size_t row, slice;
};

struct copy {
	cl_mem from_mem, to_mem;	/* references, or NULL */
	struct place from, to;
	size_t box[3];
};

static cl_int
run_copy(void *arg)
{
	const struct copy *c = arg;
	size_t y, z;

	for (z = 0; z < c->box[2]; z++)
		for (y = 0; y < c->box[1]; y++)
			memmove(c->to.at + z * c->to.slice + y * c->to.row,
			    c->from.at + z * c->from.slice + y * c->from.row,
			    c->box[0]);
	return CL_COMPLETE;
}

static void
drop_copy(void *arg)
{
	struct copy *c = arg;

	fake_unref(c->from_mem);
	fake_unref(c->to_mem);
}

/* Take references and hand over to the thread. */
static cl_int
enqueue_copy(struct order *o, struct copy *c)
{
	fake_ref(c->from_mem);
	fake_ref(c->to_mem);
	o->run = run_copy;
	o->drop = drop_copy;
	o->size = sizeof(*c);
	o->arg = c;
	return engine_enqueue(o);
}

#define ORDER(q, kind, n, list, ev) { .function = __func__, .queue = q, \
	.type = kind, .wait_count = n, .wait = list, .event = ev }

/* ---- lines --------------------------------------------------------------- */

cl_int
fake_clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking,
    size_t offset, size_t size, void *ptr, cl_uint n, const cl_event *wait,
    cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_READ_BUFFER, n, wait, event);
	struct copy c = { .from_mem = m, .to.at = ptr, .box = { size, 1, 1 } };

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	CHECK(ptr != NULL && memory_holds(m, offset, size), CL_INVALID_VALUE);
	c.from.at = m->data + offset;
	o.blocking = blocking;
	return enqueue_copy(&o, &c);
}

cl_int
fake_clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking,
    size_t offset, size_t size, const void *ptr, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_WRITE_BUFFER, n, wait, event);
	struct copy c = { .to_mem = m, .from.at = (void *)(uintptr_t)ptr,
		.box = { size, 1, 1 } };

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	CHECK(ptr != NULL && memory_holds(m, offset, size), CL_INVALID_VALUE);
	c.to.at = m->data + offset;
	o.blocking = blocking;
	return enqueue_copy(&o, &c);
}

cl_int
fake_clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to,
    size_t from_offset, size_t to_offset, size_t size, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_COPY_BUFFER, n, wait, event);
	struct copy c = { .from_mem = from, .to_mem = to,
		.box = { size, 1, 1 } };

	PLAY();
	CHECK(fake_is(from, KIND_MEM) && fake_is(to, KIND_MEM),
	    CL_INVALID_MEM_OBJECT);
	CHECK(memory_holds(from, from_offset, size) &&
	    memory_holds(to, to_offset, size), CL_INVALID_VALUE);
	c.from.at = from->data + from_offset;
	c.to.at = to->data + to_offset;
	return enqueue_copy(&o, &c);
}

/* ---- boxes --------------------------------------------------------------- */

/*
 * Where a box begins, in offset.  Pitches of zero are those of a box without
 * gaps (OpenCL 3.0, 5.2.2).  False: numbers beyond measure.
 */
static bool
place_box(struct place *p, const size_t *origin, const size_t *box, size_t row,
    size_t slice, size_t *offset)
{
	size_t y, z;

	p->row = row != 0 ? row : box[0];
	if (slice == 0 && __builtin_mul_overflow(box[1], p->row, &slice))
		return false;
	p->slice = slice;
	return !__builtin_mul_overflow(origin[1], p->row, &y) &&
	    !__builtin_mul_overflow(origin[2], p->slice, &z) &&
	    !__builtin_add_overflow(y, z, offset) &&
	    !__builtin_add_overflow(*offset, origin[0], offset);
}

/* The same in a buffer, where all of the box has to lie. */
static bool
place_in(struct place *p, const struct _cl_mem *m, const size_t *origin,
    const size_t *box, size_t row, size_t slice)
{
	size_t offset, y, z, last;

	if (box[0] == 0 || box[1] == 0 || box[2] == 0 ||
	    !place_box(p, origin, box, row, slice, &offset) ||
	    __builtin_mul_overflow(box[1] - 1, p->row, &y) ||
	    __builtin_mul_overflow(box[2] - 1, p->slice, &z) ||
	    __builtin_add_overflow(y, z, &last) ||
	    __builtin_add_overflow(last, box[0], &last) ||
	    !memory_holds(m, offset, last))
		return false;
	p->at = m->data + offset;
	return true;
}

/* In memory of the caller's, whose end nobody knows. */
static bool
place_at(struct place *p, const void *at, const size_t *origin,
    const size_t *box, size_t row, size_t slice)
{
	size_t offset;

	if (at == NULL || !place_box(p, origin, box, row, slice, &offset))
		return false;
	p->at = (unsigned char *)(uintptr_t)at + offset;
	return true;
}

cl_int
fake_clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking,
    const size_t *origin, const size_t *host_origin, const size_t *box,
    size_t row, size_t slice, size_t host_row, size_t host_slice, void *ptr,
    cl_uint n, const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_READ_BUFFER_RECT, n, wait, event);
	struct copy c = { .from_mem = m, .box = { box[0], box[1], box[2] } };

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	CHECK(place_in(&c.from, m, origin, box, row, slice) &&
	    place_at(&c.to, ptr, host_origin, box, host_row, host_slice),
	    CL_INVALID_VALUE);
	o.blocking = blocking;
	return enqueue_copy(&o, &c);
}

cl_int
fake_clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking,
    const size_t *origin, const size_t *host_origin, const size_t *box,
    size_t row, size_t slice, size_t host_row, size_t host_slice,
    const void *ptr, cl_uint n, const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_WRITE_BUFFER_RECT, n, wait,
	    event);
	struct copy c = { .to_mem = m, .box = { box[0], box[1], box[2] } };

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	CHECK(place_in(&c.to, m, origin, box, row, slice) &&
	    place_at(&c.from, ptr, host_origin, box, host_row, host_slice),
	    CL_INVALID_VALUE);
	o.blocking = blocking;
	return enqueue_copy(&o, &c);
}

cl_int
fake_clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to,
    const size_t *from_origin, const size_t *to_origin, const size_t *box,
    size_t from_row, size_t from_slice, size_t to_row, size_t to_slice,
    cl_uint n, const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_COPY_BUFFER_RECT, n, wait, event);
	struct copy c = { .from_mem = from, .to_mem = to,
		.box = { box[0], box[1], box[2] } };

	PLAY();
	CHECK(fake_is(from, KIND_MEM) && fake_is(to, KIND_MEM),
	    CL_INVALID_MEM_OBJECT);
	CHECK(place_in(&c.from, from, from_origin, box, from_row,
	    from_slice) && place_in(&c.to, to, to_origin, box, to_row,
	    to_slice), CL_INVALID_VALUE);
	return enqueue_copy(&o, &c);
}

/* ---- filling ------------------------------------------------------------- */

#define PATTERN_MAX 128

struct fill {
	cl_mem mem;
	size_t offset, size, pattern_size;
	unsigned char pattern[PATTERN_MAX];
};

static cl_int
run_fill(void *arg)
{
	const struct fill *f = arg;
	size_t i;

	for (i = 0; i < f->size; i++)
		f->mem->data[f->offset + i] = f->pattern[i % f->pattern_size];
	return CL_COMPLETE;
}

static void
drop_fill(void *arg)
{
	fake_unref(((struct fill *)arg)->mem);
}

cl_int
fake_clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_FILL_BUFFER, n, wait, event);
	struct fill f = { m, offset, size, pattern_size, { 0 } };

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	CHECK(pattern != NULL && pattern_size > 0 &&
	    pattern_size <= PATTERN_MAX && size % pattern_size == 0 &&
	    offset % pattern_size == 0 && memory_holds(m, offset, size),
	    CL_INVALID_VALUE);
	memcpy(f.pattern, pattern, pattern_size);
	fake_ref(m);
	o.run = run_fill;
	o.drop = drop_fill;
	o.size = sizeof(f);
	o.arg = &f;
	return engine_enqueue(&o);
}

/* ---- maps: a buffer is always mapped ------------------------------------- */

void *
fake_clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking,
    cl_map_flags flags, size_t offset, size_t size, cl_uint n,
    const cl_event *wait, cl_event *event, cl_int *ret)
{
	struct order o = ORDER(q, CL_COMMAND_MAP_BUFFER, n, wait, event);
	struct copy nothing = { .from_mem = m };
	cl_int code;

	(void)flags;
	PLAY_NEW(ret);
	CHECK_NEW(fake_is(m, KIND_MEM), ret, CL_INVALID_MEM_OBJECT);
	CHECK_NEW(memory_holds(m, offset, size), ret, CL_INVALID_VALUE);
	o.blocking = blocking;
	code = enqueue_copy(&o, &nothing);
	return code == CL_SUCCESS ? fake_made(ret, m->data + offset) :
	    fake_none(ret, code);
}

cl_int
fake_clEnqueueUnmapMemObject(cl_command_queue q, cl_mem m, void *ptr,
    cl_uint n, const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_UNMAP_MEM_OBJECT, n, wait, event);
	struct copy nothing = { .from_mem = m };
	const unsigned char *p = ptr;

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	CHECK(p >= m->data && p <= m->data + m->size, CL_INVALID_VALUE);
	return enqueue_copy(&o, &nothing);
}

cl_int
fake_clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint count,
    const cl_mem *list, cl_mem_migration_flags flags, cl_uint n,
    const cl_event *wait, cl_event *event)
{
	struct order o = ORDER(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, n, wait,
	    event);
	struct copy nothing = { .box = { 0 } };
	cl_uint i;

	(void)flags;
	PLAY();
	CHECK(count > 0 && list != NULL, CL_INVALID_VALUE);
	for (i = 0; i < count; i++)
		CHECK(fake_is(list[i], KIND_MEM), CL_INVALID_MEM_OBJECT);
	return enqueue_copy(&o, &nothing);
}
