/* SPDX-License-Identifier: ISC */
/*
 * run - what the kernels do, by their names.
 */
#include "tests/fakecl/program.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "tests/fakecl/engine.h"
#include "tests/fakecl/memory.h"

static cl_uint *
numbers(const struct launch *l, unsigned i)
{
	return (cl_uint *)(void *)l->value[i].mem->data;
}

static cl_int
do_add(const struct launch *l)
{
	cl_uint *a = numbers(l, 0), *b = numbers(l, 1), *out = numbers(l, 2);
	size_t i;

	for (i = 0; i < l->items; i++)
		out[i] = a[i] + b[i];
	return CL_COMPLETE;
}

static cl_int
do_copy(const struct launch *l)
{
	memmove(numbers(l, 1), numbers(l, 0), l->items * sizeof(cl_uint));
	return CL_COMPLETE;
}

static cl_int
do_fill(const struct launch *l)
{
	cl_uint *out = numbers(l, 0), value;
	size_t i;

	memcpy(&value, l->value[1].bytes, sizeof(value));
	for (i = 0; i < l->items; i++)
		out[i] = value;
	return CL_COMPLETE;
}

static cl_int
do_where(const struct launch *l)
{
	cl_uint *out = numbers(l, 0);
	size_t i;

	for (i = 0; i < l->items; i++)
		out[i] = l->device;
	return CL_COMPLETE;
}

static cl_int
do_special(const struct launch *l)
{
	*numbers(l, 0) = l->kernel->program->built_constant;
	return CL_COMPLETE;
}

static cl_int
do_alive(const struct launch *l)
{
	*numbers(l, 0) = fake_alive();
	return CL_COMPLETE;
}

static cl_int
do_arm(const struct launch *l)
{
	(void)l;
	script_arm();
	return CL_COMPLETE;
}

static cl_int
do_say(const struct launch *l)
{
	int n;

	memcpy(&n, l->value[0].bytes, sizeof(n));
	printf("say %d\n", n);
	return CL_COMPLETE;
}

static cl_int
do_sleep(const struct launch *l)
{
	cl_ulong ns;

	memcpy(&ns, l->value[0].bytes, sizeof(ns));
	engine_spend(ns * script_get()->device[l->device].pace / 100);
	return CL_COMPLETE;
}

static cl_int
do_fail(const struct launch *l)
{
	(void)l;
	return CL_OUT_OF_RESOURCES;
}

static cl_int
do_crash(const struct launch *l)
{
	(void)l;
	raise(SIGSEGV);
	return CL_COMPLETE;
}

static const struct {
	const char *name;
	unsigned buffers, params;	/* the first ones are buffers */
	cl_int (*run)(const struct launch *);
} known[] = {
	{ "add", 3, 3, do_add },
	{ "copy", 2, 2, do_copy },
	{ "fill", 1, 2, do_fill },
	{ "where", 1, 1, do_where },
	{ "special", 1, 1, do_special },
	{ "alive", 1, 1, do_alive },
	{ "arm", 0, 0, do_arm },
	{ "say", 0, 1, do_say },
	{ "sleep", 0, 1, do_sleep },
	{ "fail", 0, 0, do_fail },
	{ "crash", 0, 0, do_crash },
};

/* Do the values fit what the kernel of this name does? */
static bool
fits(const struct launch *l, unsigned buffers, unsigned params)
{
	unsigned i;

	if (l->kernel->declaration->count != params)
		return false;
	for (i = 0; i < buffers; i++)
		if (l->value[i].mem == NULL ||
		    l->value[i].mem->size / sizeof(cl_uint) < l->items)
			return false;
	return true;
}

static cl_int
run_kernel(const struct launch *l)
{
	const char *name = l->kernel->declaration->name;
	size_t i;

	if (script_get()->print_on_kernel[0] != '\0')
		printf("%s\n", script_get()->print_on_kernel);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0)
			return fits(l, known[i].buffers, known[i].params) ?
			    known[i].run(l) : CL_OUT_OF_RESOURCES;
	return CL_COMPLETE;
}

/* Have the device alone; -1: there is no need. */
static int
lock_device(unsigned device)
{
	const struct script *s = script_get();
	char path[2 * SCRIPT_WORD + 16];
	int fd;

	if (s->alone[0] == '\0')
		return -1;
	snprintf(path, sizeof(path), "%s/%s.%u", s->alone, s->vendor, device);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX) != 0)
		abort();
	return fd;
}

cl_int
launch_run(void *arg)
{
	const struct launch *l = arg;
	const int lock = lock_device(l->device);
	const cl_int status = run_kernel(l);

	if (lock >= 0)
		close(lock);
	return status;
}
