/* SPDX-License-Identifier: ISC */
/*
 * nbody - gravity among a few thousand bodies, on the first OpenCL device.
 *
 * A plain OpenCL program: it knows nothing of vgpu, and is linked with nothing
 * but the OpenCL loader.  Each step is a kernel launch with changed arguments,
 * and only the end waits, as in most real programs.  The result is compared
 * with the same steps computed by this processor.
 *
 * usage: nbody [BODIES [STEPS]]
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <CL/cl.h>

#define BODIES 2048
#define STEPS 64
#define BODIES_MAX 65536
#define STEPS_MAX 100000
#define CHECKED 32	/* this many bodies are computed here, too */
#define TOLERANCE 1e-5f	/* a step moves bodies a hundred times that */
#define DRIFT_MAX 1e-3f
#define DT 0.05f
#define SOFTENING 0.05f

static const char source[] =
    "kernel void advance(global const float4 *from, global float4 *to,\n"
    "    global float4 *velocity, uint n, float dt, float softening)\n"
    "{\n"
    "	uint i = get_global_id(0);\n"
    "	float4 me = from[i], pull = (float4)(0);\n"
    "\n"
    "	for (uint j = 0; j < n; j++) {\n"
    "		float4 d = from[j] - me;\n"
    "		float r2 = d.x * d.x + d.y * d.y + d.z * d.z + softening;\n"
    "		float s = from[j].w / (r2 * sqrt(r2));\n"
    "		pull += (float4)(d.xyz * s, 0);\n"
    "	}\n"
    "	velocity[i] += pull * dt;\n"
    "	to[i] = me + velocity[i] * dt;\n"
    "}\n";

/* As float4 on the device: place and mass. */
struct body {
	float x, y, z, m;
};

struct sky {
	cl_uint n;
	struct body *place;
	struct body *velocity;
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
check(cl_int error, const char *call)
{
	if (error == CL_SUCCESS)
		return;
	fprintf(stderr, "nbody: %s: OpenCL error %d\n", call, error);
	exit(1);
}

static unsigned long
number(const char *text, unsigned long max)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || n == 0 || n > max) {
		fprintf(stderr, "nbody: %s: expected a number from 1 to %lu\n",
		    text, max);
		exit(2);
	}
	return n;
}

/* A reproducible number between -1 and 1. */
static float
noise(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (float)(*seed >> 8) / (float)(1 << 23) - 1;
}

static void
sky_init(struct sky *sky, cl_uint n)
{
	unsigned seed = 1;
	cl_uint i;

	sky->n = n;
	sky->place = calloc(n, sizeof(*sky->place));
	sky->velocity = calloc(n, sizeof(*sky->velocity));
	if (sky->place == NULL || sky->velocity == NULL) {
		fprintf(stderr, "nbody: no memory for %u bodies\n", n);
		exit(1);
	}
	for (i = 0; i < n; i++) {
		sky->place[i].x = noise(&seed);
		sky->place[i].y = noise(&seed);
		sky->place[i].z = noise(&seed);
		sky->place[i].m = 1.0f / (float)n;
	}
}

static cl_device_id
first_device(void)
{
	cl_platform_id platforms[16];
	cl_device_id device;
	cl_uint i, n = 0;

	check(clGetPlatformIDs(16, platforms, &n), "clGetPlatformIDs");
	for (i = 0; i < n && i < 16; i++) {
		if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1,
		    &device, NULL) == CL_SUCCESS)
			return device;
	}
	fprintf(stderr, "nbody: no OpenCL device\n");
	exit(1);
}

static void
print_device(cl_device_id device)
{
	cl_platform_id platform;
	char text[256];

	check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform),
	    &platform, NULL), "clGetDeviceInfo");
	check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(text), text,
	    NULL), "clGetPlatformInfo");
	printf("platform  %s\n", text);
	check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(text), text,
	    NULL), "clGetDeviceInfo");
	printf("device    %s\n", text);
}

static cl_kernel
build(cl_context context, cl_device_id device)
{
	const char *text = source;
	char log[4096] = "";
	cl_program program;
	cl_kernel kernel;
	cl_int error;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
	check(error, "clCreateProgramWithSource");
	error = clBuildProgram(program, 1, &device, "", NULL, NULL);
	if (error != CL_SUCCESS) {
		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG,
		    sizeof(log), log, NULL);
		fprintf(stderr, "%s\n", log);
	}
	check(error, "clBuildProgram");
	kernel = clCreateKernel(program, "advance", &error);
	check(error, "clCreateKernel");
	clReleaseProgram(program);
	return kernel;
}

static cl_mem
upload(cl_context context, cl_command_queue queue, const void *data,
    size_t size)
{
	cl_int error;
	cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL,
	    &error);

	check(error, "clCreateBuffer");
	check(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, size, data, 0,
	    NULL, NULL), "clEnqueueWriteBuffer");
	return mem;
}

/* Advance a sky on the device; out gets the places after the last step. */
static void
run(cl_context context, cl_command_queue queue, cl_kernel kernel,
    const struct sky *sky, unsigned long steps, struct body *out)
{
	const float dt = DT, softening = SOFTENING;
	size_t n = sky->n, size = n * sizeof(*out);
	cl_mem place[2], velocity;
	unsigned long i;

	place[0] = upload(context, queue, sky->place, size);
	place[1] = upload(context, queue, sky->place, size);
	velocity = upload(context, queue, sky->velocity, size);
	check(clSetKernelArg(kernel, 2, sizeof(velocity), &velocity), "arg 2");
	check(clSetKernelArg(kernel, 3, sizeof(sky->n), &sky->n), "arg 3");
	check(clSetKernelArg(kernel, 4, sizeof(dt), &dt), "arg 4");
	check(clSetKernelArg(kernel, 5, sizeof(softening), &softening),
	    "arg 5");
	for (i = 0; i < steps; i++) {
		check(clSetKernelArg(kernel, 0, sizeof(cl_mem),
		    &place[i % 2]), "arg 0");
		check(clSetKernelArg(kernel, 1, sizeof(cl_mem),
		    &place[(i + 1) % 2]), "arg 1");
		check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL,
		    0, NULL, NULL), "clEnqueueNDRangeKernel");
	}
	check(clEnqueueReadBuffer(queue, place[steps % 2], CL_TRUE, 0, size,
	    out, 0, NULL, NULL), "clEnqueueReadBuffer");
	clReleaseMemObject(place[0]);
	clReleaseMemObject(place[1]);
	clReleaseMemObject(velocity);
}

/* Where body i of a sky is after one step, computed here. */
static struct body
step_here(const struct sky *sky, cl_uint i)
{
	struct body b = sky->place[i], pull = { 0, 0, 0, 0 };
	cl_uint j;

	for (j = 0; j < sky->n; j++) {
		const struct body *o = &sky->place[j];
		float dx = o->x - b.x, dy = o->y - b.y, dz = o->z - b.z;
		float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
		float s = o->m / (r2 * sqrtf(r2));

		pull.x += dx * s;
		pull.y += dy * s;
		pull.z += dz * s;
	}
	b.x += pull.x * DT * DT;
	b.y += pull.y * DT * DT;
	b.z += pull.z * DT * DT;
	return b;
}

/* The largest distance of the first bodies from where they should be. */
static float
error_after_one_step(const struct sky *sky, const struct body *found)
{
	float e, worst = 0;
	cl_uint i;

	for (i = 0; i < sky->n && i < CHECKED; i++) {
		struct body b = step_here(sky, i);

		e = fabsf(b.x - found[i].x) + fabsf(b.y - found[i].y) +
		    fabsf(b.z - found[i].z);
		worst = e <= worst ? worst : e;
	}
	return worst;
}

/* Gravity moves no centre of mass: how far it went all the same. */
static float
drift(const struct sky *sky, const struct body *found)
{
	double x = 0, y = 0, z = 0;
	cl_uint i;

	for (i = 0; i < sky->n; i++) {
		x += (double)(found[i].x - sky->place[i].x) / sky->n;
		y += (double)(found[i].y - sky->place[i].y) / sky->n;
		z += (double)(found[i].z - sky->place[i].z) / sky->n;
	}
	return (float)(fabs(x) + fabs(y) + fabs(z));
}

int
main(int argc, char **argv)
{
	unsigned long n = BODIES, steps = STEPS;
	cl_command_queue queue;
	cl_context context;
	cl_device_id device;
	struct body *found;
	cl_kernel kernel;
	struct sky sky;
	double start, seconds;
	float one, all;
	bool right;
	cl_int error;

	if (argc > 3) {
		fprintf(stderr, "usage: nbody [BODIES [STEPS]]\n");
		return 2;
	}
	if (argc > 1)
		n = number(argv[1], BODIES_MAX);
	if (argc > 2)
		steps = number(argv[2], STEPS_MAX);
	sky_init(&sky, (cl_uint)n);
	if ((found = calloc(n, sizeof(*found))) == NULL)
		return 1;

	device = first_device();
	print_device(device);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
	check(error, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
	    &error);
	check(error, "clCreateCommandQueueWithProperties");
	kernel = build(context, device);

	run(context, queue, kernel, &sky, 1, found);
	one = error_after_one_step(&sky, found);
	start = now();
	run(context, queue, kernel, &sky, steps, found);
	seconds = now() - start;
	all = drift(&sky, found);

	right = one < TOLERANCE && all < DRIFT_MAX;
	printf("result    %lu bodies, %lu steps: %s\n", n, steps,
	    right ? "right" : "WRONG");
	printf("time      %.4f s\n", seconds);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	free(found);
	free(sky.place);
	free(sky.velocity);
	return right ? 0 : 1;
}
