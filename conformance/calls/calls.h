/* SPDX-License-Identifier: ISC */
/*
 * calls - each OpenCL call with every wrong argument the specification lists.
 *
 * One file for each call, clX.c, has a function check_clX, which goes through
 * cases: a wrong call and the codes that the specification allows for it, or a
 * right one and what it has to write.  Each case prints one line,
 *
 *	ok clX: CASE
 *	not ok clX: CASE: got CL_A, specification CL_B or CL_C
 *	skip clX: CASE: why
 *
 * The codes are in the tests, from the error lists of OpenCL 3.0; natively a
 * "not ok" line is news about a vendor, through vgpu a bug.  Each file
 * runs in a child process.  A case that kills it is told as "killed by", and a
 * new child goes on behind it.
 *
 * A new call needs its file, named in files.am, and nothing else.
 */
#ifndef VGPU_CONFORMANCE_CALLS_CALLS_H
#define VGPU_CONFORMANCE_CALLS_CALLS_H

#include <CL/cl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* What valid calls have made, fresh for each file. */
struct world {
	cl_platform_id platform;
	cl_device_id device;
	cl_device_id stranger;	/* a device of no context here, or NULL */
	unsigned version;	/* of the device: 12, 20, 30 ... */
	cl_context context, other_context;	/* of device alone */
	cl_command_queue queue, other_queue;	/* in order, one a context */
	cl_mem buffer, other_buffer;		/* WORLD_SIZE bytes each */
	cl_event event, other_event;		/* user events, not set */

	/* Made when first asked for, by the functions below. */
	cl_program program;
	cl_kernel kernel;
	cl_mem image, other_image;
	cl_sampler sampler;

	/* Where the macros below expect a call's outputs. */
	cl_int err;
	cl_event done;
};

#define WORLD_SIZE 4096
#define WORLD_WIDTH 8		/* of the images, which are squares */

/* A built program, and of it "add(global int *to, int n, local int *tmp)". */
cl_program world_program(struct world *);
cl_kernel world_kernel(struct world *);

/* 2D images of CL_RGBA, CL_UNORM_INT8 in each context; NULL: no images. */
cl_mem world_image(struct world *);
cl_mem world_other_image(struct world *);

/* The same of another type and flags; the caller's. */
cl_mem world_image_of(struct world *, cl_mem_object_type, cl_mem_flags);

/* NULL: no images. */
cl_sampler world_sampler(struct world *);

/* Programs of a source text: as created, and built; never NULL. */
cl_program world_source(struct world *, cl_context, const char *text);
cl_program world_build(struct world *, const char *text, const char *options);
cl_kernel world_kernel_of(struct world *, cl_program, const char *name);
cl_mem world_buffer(struct world *, cl_mem_flags, size_t);

/* A SPIR-V module, with a kernel "f" and a 32-bit constant of this id. */
#define WORLD_SPEC_ID 7
extern const cl_uint world_il[];
extern const size_t world_il_size;
bool world_takes_il(struct world *);

/* Does a callback count up to n within ten seconds? */
bool soon(atomic_int *counter, int n);

/* A cl_bool, cl_uint, size_t or bit field of the device as a number. */
unsigned long long world_info(struct world *, cl_device_info);

/* Without this the cases of the call can't go on: they end, and count as one
 * that failed, unless code is CL_SUCCESS. */
void must(cl_int code, const char *what);

/*
 * Cases.  The last arguments are the codes that the specification allows; the
 * call is evaluated once, or not at all when it has killed a child before.
 *
 * WANT: a call that returns its code.
 * WANT_NEW: one that returns an object and writes its code to &w->err.  The
 * object must be there when the code is CL_SUCCESS, and only then.
 * WANT_EVENT: one that writes an event to &w->done, which a failed call must
 * leave alone.
 * IS: a condition that has to hold after calls made before.
 */
#define WANT(w, what, call, ...) do { \
	if (case_begin(w, what)) \
		case_end(call, CODES(__VA_ARGS__)); \
} while (0)

#define WANT_NEW(w, what, call, ...) do { \
	if (case_begin(w, what)) \
		case_end_new(w, call, CODES(__VA_ARGS__)); \
} while (0)

#define WANT_EVENT(w, what, call, ...) do { \
	if (case_begin(w, what)) \
		case_end_event(w, call, CODES(__VA_ARGS__)); \
} while (0)

#define IS(w, what, condition) do { \
	if (case_begin(w, what)) \
		case_end_is(condition); \
} while (0)

/*
 * Two cases, for a handle of the given type: null, and a live object of
 * another kind.  In the call it is named h.
 */
#define WANT_HANDLE(w, what, type, call, ...) do { \
	type h = NULL; \
	WANT(w, "no " what, call, __VA_ARGS__); \
	h = (type)world_other(w, #type); \
	WANT(w, what " of another kind", call, __VA_ARGS__); \
} while (0)

#define WANT_HANDLE_NEW(w, what, type, call, ...) do { \
	type h = NULL; \
	WANT_NEW(w, "no " what, call, __VA_ARGS__); \
	h = (type)world_other(w, #type); \
	WANT_NEW(w, what " of another kind", call, __VA_ARGS__); \
} while (0)

#define WANT_HANDLE_EVENT(w, what, type, call, ...) do { \
	type h = NULL; \
	WANT_EVENT(w, "no " what, call, __VA_ARGS__); \
	h = (type)world_other(w, #type); \
	WANT_EVENT(w, what " of another kind", call, __VA_ARGS__); \
} while (0)

/* A live object that is not of this type. */
void *world_other(struct world *, const char *type);

/* Say why a case is not tried. */
void skip(struct world *, const char *what, const char *why);

/* A function of an extension; NULL, after a skip, where the device has not. */
void *extension(struct world *, const char *extension, const char *function);

/*
 * Is the device older than a version, as 21?  Then its calls need not be there;
 * says so by skip.
 */
bool older(struct world *, unsigned version);

#define CODES(...) (const cl_int[]){ __VA_ARGS__ }, \
    sizeof((const cl_int[]){ __VA_ARGS__ }) / sizeof(cl_int)

/*
 * A query's cases: handles, names, and all forms of room for an answer of
 * size bytes.  ask is the call with its first argument given and all others as
 * they are right.
 */
typedef cl_int query_function(struct world *, void *object, cl_uint param,
    size_t size, void *value, size_t *size_ret);
struct query {
	query_function *ask;
	void *object;
	const char *type;	/* of object, as "cl_mem" */
	cl_int no_object;	/* code for none or another kind */
	bool none_allowed;	/* null stands for something */
	cl_uint param;
	size_t size;
};
void query_cases(struct world *, const struct query *);

/* A name that no query knows, a bit that no flags have. */
#define NO_SUCH_NAME 0x0badu
#define NO_SUCH_BIT ((cl_bitfield)1 << 40)

/* ---- behind the macros, case.c and world.c ------------------------------ */

bool case_begin(struct world *, const char *what);
void case_end(cl_int got, const cl_int *want, size_t n);
void case_end_new(struct world *, const void *object, const cl_int *want,
    size_t n);
void case_end_event(struct world *, cl_int got, const cl_int *want, size_t n);
void case_end_is(bool);

void world_open(struct world *);
void world_close(struct world *);
/* Which of the platform's devices; 0 is the first. */
extern unsigned world_device_index;

#define CALL(name) void check_##name(struct world *);
#include "conformance/calls/table.h"
#undef CALL

#endif
