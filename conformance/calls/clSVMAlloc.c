/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

#include <stdint.h>
#include <stdio.h>

static bool
has(struct world *w, cl_device_svm_capabilities bit)
{
	return world_info(w, CL_DEVICE_SVM_CAPABILITIES) & bit;
}

static void
wrong(struct world *w, const char *what, cl_svm_mem_flags flags, size_t size,
    cl_uint alignment)
{
	IS(w, what, clSVMAlloc(w->context, flags, size, alignment) == NULL);
}

static void
right(struct world *w, const char *what, cl_svm_mem_flags flags, size_t size,
    cl_uint alignment)
{
	void *p = clSVMAlloc(w->context, flags, size, alignment);

	IS(w, what, p != NULL &&
	    (uintptr_t)p % (alignment != 0 ? alignment : 8) == 0);
	clSVMFree(w->context, p);
}

void
check_clSVMAlloc(struct world *w)
{
	const size_t max = (size_t)world_info(w, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	char what[64];
	cl_uint n;

	if (no_svm(w))
		return;
	IS(w, "no context", clSVMAlloc(NULL, 0, 16, 0) == NULL);
	IS(w, "context of another kind", clSVMAlloc(
	    (cl_context)world_other(w, "cl_context"), 0, 16, 0) == NULL);
	wrong(w, "unknown flags", NO_SUCH_BIT, 16, 0);
	wrong(w, "read and write only", CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
	    16, 0);
	wrong(w, "flags of buffers", CL_MEM_USE_HOST_PTR, 16, 0);
	wrong(w, "atomics without fine grains", CL_MEM_SVM_ATOMICS, 16, 0);
	if (!has(w, CL_DEVICE_SVM_FINE_GRAIN_BUFFER))
		wrong(w, "fine grains that the device has not",
		    CL_MEM_SVM_FINE_GRAIN_BUFFER, 16, 0);
	if (!has(w, CL_DEVICE_SVM_ATOMICS))
		wrong(w, "atomics that the device has not",
		    CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 16, 0);
	wrong(w, "no size", 0, 0, 0);
	wrong(w, "more than the device takes", 0, max + 1, 0);
	wrong(w, "the largest size of all", 0, SIZE_MAX, 0);
	wrong(w, "alignment of 3", 0, 16, 3);
	wrong(w, "alignment of 96", 0, 192, 96);
	right(w, "no flags", 0, WORLD_SIZE, 0);
	right(w, "read only", CL_MEM_READ_ONLY, WORLD_SIZE, 0);
	right(w, "write only", CL_MEM_WRITE_ONLY, WORLD_SIZE, 0);
	right(w, "one byte", 0, 1, 0);
	for (n = 1; n <= 128; n *= 2) {
		snprintf(what, sizeof(what), "alignment of %u", n);
		right(w, what, 0, 1024, n);
	}
}
