/* SPDX-License-Identifier: ISC */
/*
 * script - what FAKECL tells to play; README has the words.
 */
#ifndef VGPU_TESTS_FAKECL_SCRIPT_H
#define VGPU_TESTS_FAKECL_SCRIPT_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>

#define SCRIPT_WORD 64
#define SCRIPT_DEVICES_MAX 64

struct script_device {
	cl_device_type type;
	cl_uint units;
	cl_uint mhz;
	cl_ulong memory;	/* bytes */
};

struct script {
	struct script_device device[SCRIPT_DEVICES_MAX];
	unsigned device_count;
	char name[SCRIPT_WORD];
	char print_on_kernel[SCRIPT_WORD];
	char extensions[1024];	/* with a blank before each */
	char hidden[SCRIPT_WORD];	/* a function that is not found */
	unsigned version;	/* 120, 200, 300 */
	bool no_devices;
	bool fail_early;
	bool fake_clock;
};

/* Read once, at the first use. */
const struct script *script_get(void);

/*
 * Called at the top of each OpenCL function with its name (a prefix "fake_" is
 * passed over): returns the code to fail with, or CL_SUCCESS; may not return.
 */
cl_int script_call(const char *function);

/* How a command that is being enqueued by this function is to end. */
cl_int script_end(const char *function);

#endif
