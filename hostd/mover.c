/* SPDX-License-Identifier: ISC */
#include "hostd/mover.h"

#include <stdlib.h>

#include "hostd/completion.h"
#include "hostd/member.h"

struct moving {
	struct serve *serve;
	struct move move;	/* root: a reference */
	void (*done)(struct serve *, void *, const struct move *, cl_int);
	void *done_arg;
	void (*next)(struct moving *);	/* in the loop, when this step ends */
	void *mapped;
	size_t region[3], row, slice;	/* of an image */
	cl_int code;
};

static const size_t no_origin[3];

static void
finish(struct moving *m)
{
	m->done(m->serve, m->done_arg, &m->move, m->code);
	object_unref(m->move.root);
	free(m);
}

/* ---- from one step to the next ----------------------------------------- */

static void
go_on(struct serve *s, void *arg)
{
	struct moving *m = arg;

	(void)s;
	m->next(m);
}

static void
on_step(struct serve *s, void *arg, cl_int status)
{
	struct moving *m = arg;

	if (status < 0)
		m->code = status;
	serve_defer(s, go_on, m);
}

/* The step's command was enqueued with this result. */
static void
step(struct moving *m, cl_command_queue q, cl_int code, cl_event e,
    void (*next)(struct moving *))
{
	m->next = next;
	if (code == CL_SUCCESS) {
		code = completion_watch(m->serve, e, on_step, m);
		/* A simulator runs it here and now. */
		if (code == CL_SUCCESS && (code = clFlush(q)) != CL_SUCCESS)
			serve_fail(m->serve, VGPU_ECL, "clFlush: error %d",
			    code);
		if (code == CL_SUCCESS)
			return;
	}
	m->code = code;
	next(m);
}

/* ---- the steps --------------------------------------------------------- */

static void
unmap(struct moving *m)
{
	cl_int code;
	cl_command_queue q = member_mover(m->move.root->context, m->move.from,
	    &code);

	if (m->mapped != NULL && clEnqueueUnmapMemObject(q,
	    native(m->move.root, m->move.from), m->mapped, 0, NULL, NULL) ==
	    CL_SUCCESS)
		clFlush(q);
	finish(m);
}

static void
write_part(struct moving *m)
{
	const struct move *v = &m->move;
	cl_command_queue q;
	cl_event e = NULL;

	if (m->code != CL_SUCCESS) {
		unmap(m);
		return;
	}
	q = member_mover(v->root->context, v->to, &m->code);
	if (m->code == CL_SUCCESS && v->root->element == 0)
		m->code = clEnqueueWriteBuffer(q, native(v->root, v->to),
		    CL_FALSE, v->at, v->size, m->mapped, 0, NULL, &e);
	else if (m->code == CL_SUCCESS)
		m->code = clEnqueueWriteImage(q, native(v->root, v->to),
		    CL_FALSE, no_origin, m->region, m->row, m->slice,
		    m->mapped, 0, NULL, &e);
	step(m, q, m->code, e, unmap);
}

static size_t
dimension(cl_mem image, cl_image_info param)
{
	size_t n = 0;

	clGetImageInfo(image, param, sizeof(n), &n, NULL);
	return n;
}

void
mover_region(cl_mem image, size_t region[3])
{
	size_t height = dimension(image, CL_IMAGE_HEIGHT);
	size_t depth = dimension(image, CL_IMAGE_DEPTH);
	size_t layers = dimension(image, CL_IMAGE_ARRAY_SIZE);

	region[0] = dimension(image, CL_IMAGE_WIDTH);
	region[1] = height != 0 ? height : layers != 0 ? layers : 1;
	region[2] = depth != 0 ? depth :
	    height != 0 && layers != 0 ? layers : 1;
}

static void
map_part(struct moving *m)
{
	const struct move *v = &m->move;
	cl_mem from = native(v->root, v->from);
	cl_int code;
	cl_event e = NULL;
	cl_command_queue q = member_mover(v->root->context, v->from, &code);

	if (code == CL_SUCCESS && v->root->element == 0) {
		m->mapped = clEnqueueMapBuffer(q, from, CL_FALSE, CL_MAP_READ,
		    v->at, v->size, 0, NULL, &e, &code);
	} else if (code == CL_SUCCESS) {
		mover_region(from, m->region);
		m->mapped = clEnqueueMapImage(q, from, CL_FALSE, CL_MAP_READ,
		    no_origin, m->region, &m->row, &m->slice, 0, NULL, &e,
		    &code);
	}
	step(m, q, code, e, write_part);
}

void
mover_start(struct serve *s, const struct move *move,
    void (*done)(struct serve *, void *, const struct move *, cl_int),
    void *arg)
{
	struct moving *m = calloc(1, sizeof(*m));

	if (m == NULL) {
		done(s, arg, move, CL_OUT_OF_HOST_MEMORY);
		return;
	}
	m->serve = s;
	m->move = *move;
	object_ref(m->move.root);
	m->done = done;
	m->done_arg = arg;
	/* It may have been written elsewhere before it was used there. */
	m->code = member_mem_make(move->root, move->to);
	if (m->code != CL_SUCCESS)
		finish(m);
	else
		map_part(m);
}
