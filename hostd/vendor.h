/* SPDX-License-Identifier: ISC */
/*
 * vendor - one vendor's OpenCL library, and nothing but it, in this process.
 *
 * An OpenCL ICD loader opens every .icd file that it finds, once for all, so
 * it cannot load one vendor now and another one later.  Here each vendor is
 * loaded by an instance of the loader of its own: a copy of libOpenCL's file
 * in memory, opened beside the linked one, which is told of that one library.
 * It only finds the platforms; as every OpenCL handle carries its dispatch
 * table, all further calls go through the linked libOpenCL.
 *
 * vgpu's own library is never loaded: a daemon would be its own client.
 */
#ifndef VGPU_HOSTD_VENDOR_H
#define VGPU_HOSTD_VENDOR_H

#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "protocol/extensions.h"

/*
 * vgpu's ICD answers clGetExtensionFunctionAddress(VENDOR_MARKER) with
 * something that is not NULL, so that it is known under any file name.
 */
#define VENDOR_MARKER "vgpuIcdMarker"

#define VENDOR_PLATFORMS_MAX 16
#define VENDOR_DEVICES_MAX 64 /* per platform */

/* A function of an extension, to be cast to what it is. */
typedef void vendor_fn(void);

struct vendor_platform {
	cl_platform_id id;
	vendor_fn *functions[FUNCTION_COUNT + 1];	/* NULL: it has none */
	cl_device_id devices[VENDOR_DEVICES_MAX];
	unsigned device_count;
};

/* Another library, or an update of it, has another. */
struct vendor_file {
	uint64_t size;
	int64_t seconds, nanoseconds;	/* of its last change */
};

struct vendor {
	struct vendor_file file;
	struct vendor_platform platforms[VENDOR_PLATFORMS_MAX];
	unsigned platform_count;
	void *loader;	/* dlopen handle of the private loader */
	int loader_fd;	/* its file; open as long as the process lives */
};

/*
 * Make this process safe for vendors: the linked loader, should a call ever
 * make it look for platforms, finds none.  Call before there are threads.
 */
void vendor_init(void);

/*
 * Load the vendor that an .icd file names, or that is itself a library, and
 * find its platforms and devices, in the vendor's order.  The vendor stays
 * loaded until the process ends, also after vendor_close.  One call at a time.
 * VGPU_ECONF: the file does not name a library, or names vgpu's own.
 * VGPU_ECL: it did not load, or has no platform or no device; the text says
 * which.  VGPU_ESYS: no memory, no loader, no place for temporary files.
 */
enum vgpu_err vendor_open(const char *icd, struct vendor **,
    struct err_text *);

/* Forget the handles.  The vendor's library stays. */
void vendor_close(struct vendor *);

/*
 * Put the library that an .icd file names, or icd itself where it is a
 * library, in out.  VGPU_ECONF, VGPU_ESYS as vendor_open.
 */
enum vgpu_err vendor_library(const char *icd, char *out, size_t size,
    struct err_text *);

/* True for names of vgpu's own library, with or without folder. */
bool vendor_is_vgpu(const char *library);

#endif
