/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

static clGetMemAllocInfoINTEL_fn call;
static char *memory;

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return call(object, memory, param, size, value, size_ret);
}

static void
answers(struct world *w, const void *p, bool known)
{
	cl_unified_shared_memory_type_intel type = 77;
	void *base = w;
	size_t n = 77;

	WANT(w, "its type", call(w->context, p, CL_MEM_ALLOC_TYPE_INTEL,
	    sizeof(type), &type, NULL), CL_SUCCESS);
	IS(w, "its type is right", type == (known ?
	    CL_MEM_TYPE_DEVICE_INTEL : CL_MEM_TYPE_UNKNOWN_INTEL));
	WANT(w, "its base", call(w->context, p, CL_MEM_ALLOC_BASE_PTR_INTEL,
	    sizeof(base), &base, NULL), CL_SUCCESS);
	IS(w, "its base is right", base == (known ? memory : NULL));
	WANT(w, "its size", call(w->context, p, CL_MEM_ALLOC_SIZE_INTEL,
	    sizeof(n), &n, NULL), CL_SUCCESS);
	IS(w, "its size is right", n == (known ? 4096 : 0));
}

void
check_clGetMemAllocInfoINTEL(struct world *w)
{
	call = (clGetMemAllocInfoINTEL_fn)extension(w, USM,
	    "clGetMemAllocInfoINTEL");
	if (call == NULL)
		return;
	memory = usm_alloc(w, 4096);
	query_cases(w, &(struct query){ .ask = ask, .object = w->context,
	    .type = "cl_context", .no_object = CL_INVALID_CONTEXT,
	    .param = CL_MEM_ALLOC_SIZE_INTEL, .size = sizeof(size_t) });
	answers(w, memory, true);
	answers(w, memory + 100, true);
	answers(w, w, false);
	usm_free(w, memory);
}
