/* SPDX-License-Identifier: ISC */
/*
 * world - a device, a context, two queues and four small kernels, which each
 * benchmark finds made and, as far as it can be, warm.
 *
 * The device is the first one of the first platform: the contender is chosen
 * from outside, by the loader's folder of vendors.
 */
#ifndef BENCH_WORLD_H
#define BENCH_WORLD_H

#include <CL/cl.h>
#include <stddef.h>

struct world {
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_command_queue queue, other;
	cl_program program;
	cl_kernel null; /* no arguments, does nothing */
	cl_kernel add;	/* (__global int *a, int v): a[0] += v */
	cl_kernel spin; /* (__global uint *a, uint n): n dependent steps */
	cl_kernel stir; /* (__global uint *a, uint v): changes a[global id] */
};

/* Fail with the name of the call unless code is CL_SUCCESS. */
#define CK(call) world_check((call), #call)
void world_check(cl_int code, const char *call);

/*
 * Make and drop the above; in a context of several devices, for one of them.
 * Whatever fails ends the process.
 */
void world_init(struct world *);
void world_init_in(struct world *, cl_platform_id, cl_device_id, cl_context);
void world_fini(struct world *);

/* One work-item; what the kernel's arguments are is the caller's. */
void world_launch(cl_command_queue, cl_kernel, cl_uint waits,
    const cl_event *wait, cl_event *event);

/* A buffer of that size for reading and writing. */
cl_mem world_buffer(const struct world *, size_t size);

/* Build a program from source. */
cl_program world_build(const struct world *, const char *source);
cl_kernel world_kernel(cl_program, const char *name);

/* Let null run n times and end. */
void world_warm(const struct world *, unsigned n);

#endif
