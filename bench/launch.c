/* SPDX-License-Identifier: ISC */
/*
 * launch - how long kernels take that do next to nothing.
 */
#include "bench/bench.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

#define BATCH 10000 /* launches behind one finish */

void
launch_null(const struct world *w, const struct bench *b)
{
	struct samples s;
	double began;
	unsigned i;

	world_warm(w, b->count / 20 + 1);
	samples_init(&s, b->count);
	for (i = 0; i < b->count; i++) {
		began = now_us();
		world_launch(w->queue, w->null, 0, NULL, NULL);
		CK(clFinish(w->queue));
		samples_add(&s, now_us() - began);
	}
	reply_value(b->name, "p50", samples_at(&s, 0.5), "us");
	reply_value(b->name, "p99", samples_at(&s, 0.99), "us");
	samples_fini(&s);
}

void
launch_many(const struct world *w, const struct bench *b)
{
	struct samples s;
	double began;
	unsigned i, n;

	world_warm(w, 20);
	samples_init(&s, b->count);
	for (n = 0; n < b->count; n++) {
		began = now_us();
		for (i = 0; i < BATCH; i++)
			world_launch(w->queue, w->null, 0, NULL, NULL);
		CK(clFinish(w->queue));
		samples_add(&s, BATCH / (now_us() - began) * 1e6);
	}
	reply_value(b->name, NULL, samples_at(&s, 0.5), "/s");
	samples_fini(&s);
}

/* The launches of one batch, each with another scalar and an event. */
static double
batch_changed(const struct world *w, cl_event *events)
{
	double began = now_us();
	cl_int i;

	for (i = 0; i < BATCH; i++) {
		CK(clSetKernelArg(w->add, 1, sizeof(i), &i));
		world_launch(w->queue, w->add, 0, NULL, &events[i]);
	}
	CK(clFinish(w->queue));
	for (i = 0; i < BATCH; i++)
		CK(clReleaseEvent(events[i]));
	return now_us() - began;
}

void
launch_many_changed(const struct world *w, const struct bench *b)
{
	static cl_event events[BATCH];
	cl_mem mem = world_buffer(w, sizeof(cl_int));
	cl_int zero = 0, sum, expected = 0;
	struct samples s;
	unsigned n;

	CK(clEnqueueWriteBuffer(w->queue, mem, CL_TRUE, 0, sizeof(zero), &zero,
	    0, NULL, NULL));
	CK(clSetKernelArg(w->add, 0, sizeof(mem), &mem));
	samples_init(&s, b->count);
	for (n = 0; n < b->count; n++) {
		samples_add(&s, BATCH / batch_changed(w, events) * 1e6);
		expected = (cl_int)((cl_uint)expected +
		    (cl_uint)BATCH / 2 * (BATCH - 1));
	}
	CK(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, sizeof(sum), &sum, 0,
	    NULL, NULL));
	if (sum != expected)
		reply_fail("%s: sum %d, expected %d", b->name, sum, expected);
	reply_value(b->name, NULL, samples_at(&s, 0.5), "/s");
	samples_fini(&s);
	CK(clReleaseMemObject(mem));
}

/*
 * CPU for each launch: of the thread that enqueues, in clEnqueueNDRangeKernel
 * alone, and of the whole process until all have ended.  The second is what
 * a client pays; natively it has the kernels in it.
 */
void
launch_cpu(const struct world *w, const struct bench *b)
{
	struct samples enqueue, process;
	double thread_began, process_began;
	unsigned i, n;

	world_warm(w, 20);
	samples_init(&enqueue, b->count);
	samples_init(&process, b->count);
	for (n = 0; n < b->count; n++) {
		process_began = cpu_process_us();
		thread_began = cpu_thread_us();
		for (i = 0; i < BATCH; i++)
			world_launch(w->queue, w->null, 0, NULL, NULL);
		samples_add(&enqueue,
		    (cpu_thread_us() - thread_began) / BATCH * 1e3);
		CK(clFinish(w->queue));
		samples_add(&process,
		    (cpu_process_us() - process_began) / BATCH * 1e3);
	}
	reply_value(b->name, "enqueue", samples_at(&enqueue, 0.5), "ns");
	reply_value(b->name, "process", samples_at(&process, 0.5), "ns");
	samples_fini(&enqueue);
	samples_fini(&process);
}

/* A chain of kernels in turn on two queues, each waiting for the one before. */
void
launch_hop(const struct world *w, const struct bench *b)
{
	cl_command_queue queue[2] = { w->queue, w->other };
	cl_event last = NULL, event;
	double began;
	unsigned i;

	world_warm(w, 20);
	began = now_us();
	for (i = 0; i < b->count; i++) {
		world_launch(queue[i % 2], w->null, last != NULL, last != NULL ?
		    &last : NULL, &event);
		if (last != NULL)
			CK(clReleaseEvent(last));
		last = event;
		/* what an event of another queue waits for must be flushed */
		if (i % 64 == 0) {
			CK(clFlush(w->queue));
			CK(clFlush(w->other));
		}
	}
	CK(clFlush(w->queue));
	CK(clFlush(w->other));
	CK(clFinish(w->queue));
	CK(clFinish(w->other));
	reply_value(b->name, NULL, (now_us() - began) / b->count, "us");
	CK(clReleaseEvent(last));
}
