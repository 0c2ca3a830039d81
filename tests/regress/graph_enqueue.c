/* SPDX-License-Identifier: ISC */
/*
 * graph_enqueue - operations as commands.
 */
#include "tests/regress/graph_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
run_fail(struct run *r, const char *format, ...)
{
	va_list ap;

	if (r->failed)
		return;
	r->failed = true;
	va_start(ap, format);
	vsnprintf(r->text, r->size, format, ap);
	va_end(ap);
}

void
run_check(struct run *r, cl_int code, const char *what)
{
	if (code != CL_SUCCESS)
		run_fail(r, "op %u: %s: error %d", r->count, what, code);
}

static void
run_map(struct run *r, struct node *n, const struct waits *w,
    const cl_event *list)
{
	const bool write = n->op.type == OP_MAP_WRITE;
	const cl_command_queue q = r->w->queue[n->queue];
	const cl_mem m = r->mem[n->op.mem % MEMS];
	unsigned at, count;
	cl_int code;
	uint32_t *p;

	op_range(r, &n->op, false, &at, &count);
	p = clEnqueueMapBuffer(q, m, CL_TRUE, write ? CL_MAP_WRITE :
	    CL_MAP_READ, at * sizeof(*p), count * sizeof(*p), w->count, list,
	    NULL, &code);
	run_check(r, code, "map");
	if (code != CL_SUCCESS)
		return;
	if (memcmp(p, model_place(r, n->op.mem % MEMS, at), count * sizeof(*p)) != 0)
		run_fail(r, "op %u: the mapped content is another", r->count);
	if (write)
		memcpy(p, n->data, count * sizeof(*p));
	run_check(r, clEnqueueUnmapMemObject(q, m, p, 0, NULL, &n->event),
	    "unmap");
}

static cl_int
launch(struct run *r, struct node *n, const struct waits *w,
    const cl_event *list)
{
	const struct op *o = &n->op;
	const cl_kernel k = o->type == OP_ADD ? r->w->add :
	    o->type == OP_SET ? r->w->set : r->w->axpy;
	unsigned at, at2, count;
	cl_uint i = 0;
	size_t global;

	op_range(r, o, false, &at, &count);
	op_range(r, o, true, &at2, &count);
	global = count;
	clSetKernelArg(k, i++, sizeof(cl_mem), &r->mem[o->mem % MEMS]);
	clSetKernelArg(k, i++, sizeof(at), &at);
	if (o->type == OP_AXPY) {
		clSetKernelArg(k, i++, sizeof(cl_mem),
		    &r->mem[o->mem2 % MEMS]);
		clSetKernelArg(k, i++, sizeof(at2), &at2);
	}
	clSetKernelArg(k, i, sizeof(o->value), &o->value);
	return clEnqueueNDRangeKernel(r->w->queue[n->queue], k, 1, NULL,
	    &global, NULL, w->count, list, &n->event);
}

static cl_int
run_rect(struct run *r, struct node *n, const struct waits *w,
    const cl_event *list)
{
	const cl_command_queue q = r->w->queue[n->queue];
	const cl_mem m = r->mem[n->op.mem % MEMS];
	const size_t word = sizeof(uint32_t), zero[3] = { 0 };
	size_t origin[3] = { 0 }, region[3] = { RECT_COLUMNS * word, 1, 1 };
	unsigned at, rows;

	op_rect(r, &n->op, &at, &rows);
	origin[0] = at % RECT_ROW * word;
	origin[1] = at / RECT_ROW;
	region[1] = rows;
	if (n->op.type == OP_READ_RECT)
		return clEnqueueReadBufferRect(q, m, CL_FALSE, origin, zero,
		    region, RECT_ROW * word, 0, 0, 0, n->data, w->count, list,
		    &n->event);
	return clEnqueueWriteBufferRect(q, m, CL_FALSE, origin, zero, region,
	    RECT_ROW * word, 0, 0, 0, n->data, w->count, list, &n->event);
}

void
node_enqueue(struct run *r, struct node *n, const struct waits *w)
{
	const cl_event *list = w->count > 0 ? w->event : NULL;
	const struct op *o = &n->op;
	const cl_command_queue q = r->w->queue[n->queue];
	const cl_mem m = r->mem[o->mem % MEMS], m2 = r->mem[o->mem2 % MEMS];
	const cl_bool blocking = o->blocking && !n->held;
	const size_t word = sizeof(uint32_t);
	unsigned at, at2, count;
	cl_int code = CL_SUCCESS;

	op_range(r, o, false, &at, &count);
	op_range(r, o, true, &at2, &count);
	switch (o->type) {
	case OP_WRITE:
		code = clEnqueueWriteBuffer(q, m, blocking, at * word,
		    count * word, n->data, w->count, list, &n->event);
		break;
	case OP_READ:
		code = clEnqueueReadBuffer(q, m, blocking, at * word,
		    count * word, n->data, w->count, list, &n->event);
		break;
	case OP_COPY:
		code = clEnqueueCopyBuffer(q, m2, m, at2 * word, at * word,
		    count * word, w->count, list, &n->event);
		break;
	case OP_FILL:
		code = clEnqueueFillBuffer(q, m, &o->value, word, at * word,
		    count * word, w->count, list, &n->event);
		break;
	case OP_WRITE_RECT:
	case OP_READ_RECT:
		code = run_rect(r, n, w, list);
		break;
	case OP_MAP_READ:
	case OP_MAP_WRITE:
		run_map(r, n, w, list);
		break;
	case OP_MARKER:
		code = clEnqueueMarkerWithWaitList(q, w->count, list,
		    &n->event);
		break;
	case OP_BARRIER:
		code = clEnqueueBarrierWithWaitList(q, w->count, list,
		    &n->event);
		break;
	case OP_MIGRATE:
		code = clEnqueueMigrateMemObjects(q, 1, &m, 0, w->count, list,
		    &n->event);
		break;
	default:
		code = launch(r, n, w, list);
		break;
	}
	run_check(r, code, "enqueue");
}
