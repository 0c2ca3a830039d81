/* SPDX-License-Identifier: ISC */
/*
 * moved - a program that goes on and on with one context, as long as a file is
 * there, and checks all that it computes; the context may move meanwhile.
 *
 *	moved FILE ROUNDS [plain|svm]
 *
 * What it does is made at the start and kept: arguments are set once, mappings,
 * events and markers are held over many rounds.  It ends when it has done so
 * many rounds and the file is gone, and says how many they were.  plain: with
 * programs that can be made again for another vendor, too; svm: with what can't
 * move.
 */
#include "tests/regress/moved_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/regress/check.h"

#define MAP_ROUNDS 7	/* for which a mapping is kept */

static struct world w;
static cl_uint model[SIZE], model_out;
static cl_int *mapped;
static unsigned rounds;
static cl_event kept[KEPT], user;

static void
expect(const char *what, cl_uint got, cl_uint expected)
{
	if (got == expected)
		return;
	printf("round %u: %s is %u, expected %u\n", rounds, what, got,
	    expected);
	exit(1);
}

/* a = 3 a + round, by a kernel whose buffer was set at the start. */
static void
step(cl_event *done)
{
	const size_t n = SIZE, local = LOCAL;
	cl_uint i;

	check("clSetKernelArg", clSetKernelArg(w.step, 1, sizeof(rounds),
	    &rounds));
	check("step", clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &n,
	    &local, 0, NULL, done));
	for (i = 0; i < SIZE; i++)
		model[i] = model[i] * FACTOR + rounds;
}

/*
 * Its upper half, by a sub-buffer, in a queue without order; as it was recorded
 * at the start, in every second round.
 */
static void
add_half(cl_event after, cl_event *done)
{
	const cl_event wait[] = { after, kept[rounds % KEPT], user };
	const size_t n = SIZE / 2;
	cl_uint i;

	if (w.recorded != NULL && rounds % 2 == 0)
		check("replay", w.replay(0, NULL, w.recorded, 3, wait, done));
	else
		check("add", clEnqueueNDRangeKernel(w.free, w.add, 1, NULL, &n,
		    NULL, 3, wait, done));
	for (i = SIZE / 2; i < SIZE; i++)
		model[i] += 5;
}

/* Through an image and a sampler to another buffer. */
static void
through_image(cl_event after, cl_event *done)
{
	const size_t origin[3] = { 0 }, region[3] = { SIZE, 1, 1 };
	const size_t n = SIZE;
	cl_event copied;

	check("clEnqueueCopyBufferToImage", clEnqueueCopyBufferToImage(w.free,
	    w.a, w.image, 0, origin, region, 1, &after, &copied));
	check("sample", clEnqueueNDRangeKernel(w.free, w.sample, 1, NULL, &n,
	    NULL, 1, &copied, done));
	clReleaseEvent(copied);
}

/* One event of each round is kept for some rounds, and asked for its times. */
static void
keep(cl_event e)
{
	cl_ulong start = 1, end = 0;
	cl_event old = kept[rounds % KEPT];

	check("clGetEventProfilingInfo", clGetEventProfilingInfo(old,
	    CL_PROFILING_COMMAND_START, sizeof(start), &start, NULL));
	check("clGetEventProfilingInfo", clGetEventProfilingInfo(old,
	    CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL));
	expect("start <= end", start <= end, 1);
	clReleaseEvent(old);
	kept[rounds % KEPT] = e;
}

/* Each mapping is kept for some rounds, and written to before its end. */
static void
map(void)
{
	cl_int code;

	if (mapped != NULL) {
		expect("what is mapped", (cl_uint)mapped[0],
		    rounds - MAP_ROUNDS);
		mapped[0] = (cl_int)rounds;
		check("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(
		    w.queue, w.mapped, mapped, 0, NULL, NULL));
	}
	mapped = clEnqueueMapBuffer(w.queue, w.mapped, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, 0, SIZE * sizeof(cl_int), 0, NULL, NULL, &code);
	check("clEnqueueMapBuffer", code);
	expect("what was mapped", (cl_uint)mapped[0], rounds);
}

static void
read_all(cl_event after)
{
	cl_uint got[SIZE], linked, i;
	const size_t one = 1;

	check("clEnqueueReadBuffer", clEnqueueReadBuffer(w.free, w.a, CL_TRUE,
	    0, sizeof(got), got, 1, &after, NULL));
	for (i = 0; i < SIZE; i++)
		expect("a", got[i], model[i]);
	check("clEnqueueReadBuffer", clEnqueueReadBuffer(w.free, w.out,
	    CL_TRUE, 0, sizeof(got), got, 1, &after, NULL));
	for (i = 0; i < SIZE; i++)
		expect("out", got[i], model[i]);
	check("linked", clEnqueueNDRangeKernel(w.queue, w.linked, 1, NULL,
	    &one, NULL, 0, NULL, NULL));
	model_out += 3;
	check("clEnqueueReadBuffer", clEnqueueReadBuffer(w.queue, w.large,
	    CL_TRUE, LARGE - sizeof(linked), sizeof(linked), &linked, 0, NULL,
	    NULL));
	expect("linked", linked, model_out);
}

static void
round_trip(void)
{
	cl_event first, second, third;

	step(&first);
	add_half(first, &second);
	through_image(second, &third);
	if (rounds % MAP_ROUNDS == 0)
		map();
	read_all(third);
	clReleaseEvent(second);
	clReleaseEvent(third);
	keep(first);
}

static void
begin(void)
{
	cl_int code;
	unsigned i;

	world_open(&w);
	for (i = 0; i < KEPT; i++)
		check("clEnqueueMarker", clEnqueueMarkerWithWaitList(w.queue,
		    0, NULL, &kept[i]));
	user = clCreateUserEvent(w.context, &code);
	check("clCreateUserEvent", code);
	check("clSetUserEventStatus", clSetUserEventStatus(user, CL_COMPLETE));
	memset(model, 0, sizeof(model));
	printf("%s\n", w.name);
	fflush(stdout);
}

static void
end(void)
{
	unsigned i;

	for (i = 0; i < KEPT; i++)
		clReleaseEvent(kept[i]);
	clReleaseEvent(user);
	world_close(&w);
	expect("destructors that were called", w.gone, 1);
}

int
main(int argc, char **argv)
{
	unsigned least;

	if (argc < 3)
		return 2;
	w.plain = argc > 3 && strcmp(argv[3], "plain") == 0;
	w.wants_svm = argc > 3 && strcmp(argv[3], "svm") == 0;
	least = (unsigned)atoi(argv[2]);
	begin();
	for (; rounds < least || access(argv[1], F_OK) == 0; rounds++) {
		round_trip();
		expect("destructors called too soon", w.gone, 0);
	}
	end();
	printf("%u rounds are right\n", rounds);
	return 0;
}
