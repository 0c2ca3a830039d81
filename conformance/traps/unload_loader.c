/* SPDX-License-Identifier: ISC */
/*
 * The loader is opened, used and closed, twice, as plug-ins do; the second time
 * all works again.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

/* A copy of its own, which no other part of this program holds. */
static int
loader_copy(void)
{
	char bytes[4096];
	Dl_info info;
	int from, to = memfd_create("loader", 0);
	ssize_t n;

	if (dladdr((void *)clGetPlatformIDs, &info) == 0 ||
	    (from = open(info.dli_fname, O_RDONLY)) < 0 || to < 0)
		die("no loader");
	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, (size_t)n) != n)
			die("no memory");
	close(from);
	return to;
}

static void
use(void *library)
{
	cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
	cl_int (*devices)(cl_platform_id, cl_device_type, cl_uint,
	    cl_device_id *, cl_uint *);
	cl_platform_id p;
	cl_device_id d;

	*(void **)&platforms = dlsym(library, "clGetPlatformIDs");
	*(void **)&devices = dlsym(library, "clGetDeviceIDs");
	if (platforms == NULL || devices == NULL)
		die("no functions");
	say("platform: %d", platforms(1, &p, NULL));
	say("device: %d", devices(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL));
}

void
unload_loader(void)
{
	char name[64];
	void *library;
	int i, fd = loader_copy();

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	for (i = 0; i < 2; i++) {
		if ((library = dlopen(name, RTLD_NOW | RTLD_LOCAL)) == NULL)
			die(dlerror());
		use(library);
		say("closed: %d", dlclose(library));
	}
	usleep(50000);
	say("by the other loader: %d", compute());
}
