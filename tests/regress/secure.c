/* SPDX-License-Identifier: ISC */
/*
 * secure - how many platforms the client library, named by its path, has; as
 * a loader would ask it.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/auxv.h>

int
main(int argc, char **argv)
{
	cl_int (*platforms)(cl_uint, cl_platform_id *, cl_uint *);
	cl_uint n = 0;
	cl_int code;
	void *library;

	library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (library == NULL) {
		printf("%s\n", argc == 2 ? dlerror() : "usage: secure PATH");
		return 2;
	}
	*(void **)&platforms = dlsym(library, "clIcdGetPlatformIDsKHR");
	if (platforms == NULL)
		return 2;
	code = platforms(0, NULL, &n);
	printf("secure %d, code %d, platforms %u\n",
	    getauxval(AT_SECURE) != 0, code, n);
	return 0;
}
