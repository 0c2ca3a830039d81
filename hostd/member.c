/* SPDX-License-Identifier: ISC */
#include "hostd/member.h"

#include <stdlib.h>

#include "common/clock.h"

static bool
share_member(const struct vdevice *a, const struct vdevice *b)
{
	return a->pool->vendor == b->pool->vendor &&
	    a->pool->platform == b->pool->platform;
}

/* Is there none before it that shares its member? */
static bool
begins_member(const struct vcontext *c, unsigned device)
{
	unsigned i;

	for (i = 0; i < device; i++)
		if (share_member(c->devices[i], c->devices[device]))
			return false;
	return true;
}

cl_int
members_find(struct vcontext *c)
{
	unsigned i, n = 0;

	for (i = 0; i < c->device_count; i++)
		n += begins_member(c, i);
	if (n > MEMBERS_MAX)
		return CL_INVALID_DEVICE;
	c->member_count = n;
	if (n <= 1)
		return CL_SUCCESS;
	if ((c->members = calloc(n, sizeof(*c->members))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0, n = 0; i < c->device_count; i++)
		if (begins_member(c, i))
			c->members[n++].device = c->devices[i];
	return CL_SUCCESS;
}

void
members_free(struct vcontext *c)
{
	unsigned m;

	for (m = 0; c->members != NULL && m < c->member_count; m++)
		if (c->members[m].mover != NULL)
			clReleaseCommandQueue(c->members[m].mover);
	free(c->members);
}

unsigned
context_member(const struct vcontext *c, const struct vdevice *d)
{
	unsigned m;

	if (!context_is_mixed(c))
		return 0;
	for (m = 0; m < c->member_count - 1; m++)
		if (share_member(c->members[m].device, d))
			break;
	return m;
}

unsigned
members_devices(const struct vcontext *c, unsigned member, cl_device_id *out)
{
	unsigned i, n = 0;

	for (i = 0; i < c->device_count; i++)
		if (context_member(c, c->devices[i]) == member)
			out[n++] = c->devices[i]->device;
	return n;
}

cl_command_queue
member_mover(struct vcontext *c, unsigned member, cl_int *code)
{
	struct member *m = &c->members[member];

	*code = CL_SUCCESS;
	if (m->mover == NULL)
		m->mover = clCreateCommandQueue(native(c, member),
		    m->device->device, 0, code);
	return m->mover;
}

/* ---- clocks ------------------------------------------------------------ */

#define TIMINGS 3

/* When a command ended, by the member's clock; false: it does not tell. */
static bool
time_marker(cl_command_queue q, cl_ulong *end)
{
	cl_event e;
	bool ok;

	if (clEnqueueMarkerWithWaitList(q, 0, NULL, &e) != CL_SUCCESS)
		return false;
	ok = clFinish(q) == CL_SUCCESS &&
	    clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof(*end),
	    end, NULL) == CL_SUCCESS;
	clReleaseEvent(e);
	return ok;
}

/* A clock that may be the host's own is left as it is. */
static int64_t
difference(int64_t before, int64_t after, cl_ulong end)
{
	const int64_t e = (int64_t)end;

	return e >= before && e <= after ? 0 :
	    before + (after - before) / 2 - e;
}

void
member_time(struct vcontext *c, unsigned member)
{
	struct member *m = &c->members[member];
	int64_t before, after, best = INT64_MAX;
	cl_command_queue q;
	cl_ulong end;
	cl_int code;
	unsigned i;

	if (m->timed)
		return;
	m->timed = true;
	q = clCreateCommandQueue(native(c, member), m->device->device,
	    CL_QUEUE_PROFILING_ENABLE, &code);
	if (code != CL_SUCCESS)
		return;
	for (i = 0; i < TIMINGS; i++) {
		before = clock_ns();
		if (!time_marker(q, &end))
			break;
		after = clock_ns();
		if (after - before < best) {
			best = after - before;
			m->clock = difference(before, after, end);
		}
	}
	clReleaseCommandQueue(q);
}
