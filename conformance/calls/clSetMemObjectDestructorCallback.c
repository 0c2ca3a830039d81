/* SPDX-License-Identifier: ISC */
#include <stdatomic.h>
#include <time.h>

#include "conformance/calls/calls.h"

static struct {
	atomic_int count;
	cl_mem object[3];
	int number[3];
} told;

static void CL_CALLBACK
notify(cl_mem m, void *arg)
{
	const int i = atomic_load(&told.count);

	told.object[i] = m;
	told.number[i] = *(int *)arg;
	atomic_store(&told.count, i + 1);
}

/* Wait at most five seconds for n calls. */
static bool
all_told(int n)
{
	const struct timespec pause = { 0, 1000000 };
	int i;

	for (i = 0; i < 5000 && atomic_load(&told.count) < n; i++)
		nanosleep(&pause, NULL);
	return atomic_load(&told.count) == n;
}

void
check_clSetMemObjectDestructorCallback(struct world *w)
{
	static int number[3] = { 1, 2, 3 };
	cl_mem m = world_buffer(w, 0, 16);
	int i;

	WANT_HANDLE(w, "object", cl_mem,
	    clSetMemObjectDestructorCallback(h, notify, number),
	    CL_INVALID_MEM_OBJECT);
	WANT(w, "no function",
	    clSetMemObjectDestructorCallback(m, NULL, number),
	    CL_INVALID_VALUE);
	for (i = 0; i < 3; i++)
		WANT(w, "a function", clSetMemObjectDestructorCallback(m,
		    notify, &number[i]), CL_SUCCESS);
	clRetainMemObject(m);
	clReleaseMemObject(m);
	IS(w, "not called while there are references",
	    atomic_load(&told.count) == 0);
	clReleaseMemObject(m);
	IS(w, "all are called at the last release", all_told(3));
	IS(w, "in reverse order, with what they were given",
	    told.number[0] == 3 && told.number[1] == 2 && told.number[2] == 1);
	IS(w, "for the object", told.object[0] == m && told.object[2] == m);
}
