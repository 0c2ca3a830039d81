/* SPDX-License-Identifier: ISC */
/*
 * script - what FAKECL, or a file beside the library, tells to play; README has
 * the words.
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
	cl_uint pace;		/* percent of time */
};

enum lie_kind { LIE_NUMBER, LIE_SIZE, LIE_ENDLESS, LIE_ABSENT };

struct lie {
	cl_uint param;
	enum lie_kind kind;
	cl_ulong n;
};

#define SCRIPT_LIES_MAX 16

struct script {
	struct lie lie[SCRIPT_LIES_MAX];
	unsigned lies;
	cl_uint handles;	/* 0: as many as there are devices */
	struct script_device device[SCRIPT_DEVICES_MAX];
	unsigned device_count;
	char name[SCRIPT_WORD];
	char vendor[SCRIPT_WORD];
	char driver[SCRIPT_WORD];
	bool same_name;		/* of all devices, without their numbers */
	char print_on_kernel[SCRIPT_WORD];
	char extensions[1024];	/* with a blank before each */
	char hidden[SCRIPT_WORD];	/* a function that is not found */
	char here[SCRIPT_WORD];	/* the mark that it leaves in its process */
	char alone[SCRIPT_WORD];	/* a folder of locks; "": none */
	char tally[SCRIPT_WORD];	/* a file; "": none */
	char clash[SCRIPT_WORD];	/* and the one that it can't bear */
	unsigned version;	/* 120, 200, 300 */
	bool no_devices;
	bool fail_early;
	bool fake_clock;
};

/* From now on faults count, where the script has "unarmed". */
void script_arm(void);

/* Read once, at the first use. */
const struct script *script_get(void);

/*
 * Called at the top of each OpenCL function with its name (a prefix "fake_" is
 * passed over): returns the code to fail with, or CL_SUCCESS; may not return.
 */
cl_int script_call(const char *function);

/*
 * Where platforms are asked: leave a mark in this process; may not return where
 * it has that of another such library, with which this one clashes.
 */
void script_arrive(void);

/* How a command that is being enqueued by this function is to end. */
cl_int script_end(const char *function);

#endif
