/* SPDX-License-Identifier: ISC */
/*
 * moved_world - what moved.c has of OpenCL: one context of the first device,
 * with a bit of everything.
 */
#ifndef VGPU_TESTS_REGRESS_MOVED_WORLD_H
#define VGPU_TESTS_REGRESS_MOVED_WORLD_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 1024u		/* elements */
#define LOCAL 16u
#define FACTOR 3u		/* by a build option */
#define KEPT 8u			/* events of earlier rounds */
#define LARGE ((size_t)4 << 20)	/* bytes of what content travels for */

struct world {
	bool plain;	/* programs of source alone, and not linked */
	bool wants_svm;	/* with shared virtual memory */
	void *svm;
	cl_device_id device;
	char name[256];
	cl_context context;
	cl_command_queue queue, free;	/* with order and profiling; without */
	cl_program source, binary, part, whole;
	cl_kernel step, add, sample, linked;
	cl_mem a, half, out, image, mapped, large;
	cl_sampler sampler;
	/* add, recorded for free; NULL where there are no command buffers */
	cl_command_buffer_khr recorded;
	clEnqueueCommandBufferKHR_fn replay;
	atomic_uint gone;	/* destructor callbacks of out */
};

void world_open(struct world *);
void world_close(struct world *);

#endif
