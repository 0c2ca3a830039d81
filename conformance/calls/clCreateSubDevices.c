/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

typedef cl_device_partition_property part;

static bool
can(struct world *w, part kind)
{
	part list[16] = { 0 };
	size_t n = 0;

	clGetDeviceInfo(w->device, CL_DEVICE_PARTITION_PROPERTIES,
	    sizeof(list), list, &n);
	for (n /= sizeof(*list); n > 0; n--)
		if (list[n - 1] == kind)
			return true;
	return false;
}

static void
give_back(cl_device_id *list, cl_uint n)
{
	cl_uint i;

	for (i = 0; i < n; i++) {
		if (list[i] != NULL)
			clReleaseDevice(list[i]);
		list[i] = NULL;
	}
}

static cl_int
make(struct world *w, const part *p, cl_device_id *list, cl_uint *n)
{
	return clCreateSubDevices(w->device, p, 64, list, n);
}

static void
unsupported(struct world *w, cl_device_id *list)
{
	const part unknown[] = { NO_SUCH_NAME, 1, 0 }, none[] = { 0 };
	const part equally[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	const part counts[] = { CL_DEVICE_PARTITION_BY_COUNTS, 1,
		CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0 };
	const part affine[] = { CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
		CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0 };
	cl_uint n = 0;

	WANT_HANDLE(w, "device", cl_device_id, clCreateSubDevices(h, equally,
	    64, list, &n), CL_INVALID_DEVICE);
	WANT(w, "no properties", make(w, NULL, list, &n), CL_INVALID_VALUE);
	WANT(w, "empty properties", make(w, none, list, &n), CL_INVALID_VALUE);
	WANT(w, "unknown property", make(w, unknown, list, &n),
	    CL_INVALID_VALUE);
	if (!can(w, CL_DEVICE_PARTITION_EQUALLY))
		WANT(w, "equally, which it can't", make(w, equally, list, &n),
		    CL_INVALID_VALUE);
	if (!can(w, CL_DEVICE_PARTITION_BY_COUNTS))
		WANT(w, "by counts, which it can't", make(w, counts, list,
		    &n), CL_INVALID_VALUE);
	if (!can(w, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
		WANT(w, "by affinity, which it can't", make(w, affine, list,
		    &n), CL_INVALID_VALUE);
}

static void
equally(struct world *w, cl_device_id *list)
{
	const part zero[] = { CL_DEVICE_PARTITION_EQUALLY, 0, 0 };
	const part ones[] = { CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	const part two[] = { CL_DEVICE_PARTITION_EQUALLY, 1,
		CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	const part many[] = { CL_DEVICE_PARTITION_EQUALLY,
		(part)world_info(w, CL_DEVICE_MAX_COMPUTE_UNITS) + 1, 0 };
	cl_uint units = (cl_uint)world_info(w, CL_DEVICE_MAX_COMPUTE_UNITS);
	cl_uint n = 77;

	WANT(w, "equally, of no units", make(w, zero, list, &n),
	    CL_INVALID_VALUE);
	WANT(w, "equally, of too many units", make(w, many, list, &n),
	    CL_DEVICE_PARTITION_FAILED, CL_INVALID_VALUE,
	    CL_INVALID_DEVICE_PARTITION_COUNT);
	WANT(w, "two kinds at once", make(w, two, list, &n),
	    CL_INVALID_VALUE);
	IS(w, "nothing was written", n == 77 && list[0] == NULL);
	if (units > 1) {
		WANT(w, "room for fewer than there are", clCreateSubDevices(
		    w->device, ones, 1, list, &n), CL_INVALID_VALUE);
		IS(w, "then nothing is written", n == 77 && list[0] == NULL);
	}
	WANT(w, "no room", clCreateSubDevices(w->device, ones, 0, list, &n),
	    CL_INVALID_VALUE);
	WANT(w, "the number alone", clCreateSubDevices(w->device, ones, 0,
	    NULL, &n), CL_SUCCESS);
	IS(w, "each unit would be a device", n == units);
	WANT(w, "devices without number", make(w, ones, list, NULL),
	    CL_SUCCESS);
	IS(w, "each unit is a device", units >= 64 ||
	    (list[units - 1] != NULL && list[units] == NULL));
	give_back(list, 64);
}

/* The device's parts know what they are. */
static void
parts(struct world *w)
{
	part p[16] = { 0 };
	cl_device_id parent = NULL;
	size_t n = 0;
	cl_uint units = 0;

	must(clGetDeviceInfo(w->stranger, CL_DEVICE_PARENT_DEVICE,
	    sizeof(parent), &parent, NULL), "CL_DEVICE_PARENT_DEVICE");
	IS(w, "a part knows its parent", parent == w->device);
	must(clGetDeviceInfo(w->stranger, CL_DEVICE_PARTITION_TYPE, sizeof(p),
	    p, &n), "CL_DEVICE_PARTITION_TYPE");
	IS(w, "a part knows how it was made", n >= 4 * sizeof(*p) &&
	    p[0] == CL_DEVICE_PARTITION_BY_COUNTS && p[1] == 1 &&
	    p[2] == 0 && p[3] == 0);
	must(clGetDeviceInfo(w->stranger, CL_DEVICE_MAX_COMPUTE_UNITS,
	    sizeof(units), &units, NULL), "CL_DEVICE_MAX_COMPUTE_UNITS");
	IS(w, "a part of one unit has one", units == 1);
}

static void
counts(struct world *w, cl_device_id *list)
{
	const part max = (part)world_info(w, CL_DEVICE_MAX_COMPUTE_UNITS);
	const part end = CL_DEVICE_PARTITION_BY_COUNTS_LIST_END;
	const part many[] = { CL_DEVICE_PARTITION_BY_COUNTS, max + 1, end, 0 };
	const part sum[] = { CL_DEVICE_PARTITION_BY_COUNTS, max, 1, end, 0 };
	const part none[] = { CL_DEVICE_PARTITION_BY_COUNTS, end, 0 };
	const part minus[] = { CL_DEVICE_PARTITION_BY_COUNTS, -1, end, 0 };
	cl_uint n = 77;

	WANT(w, "by counts, one too large", make(w, many, list, &n),
	    CL_INVALID_DEVICE_PARTITION_COUNT);
	WANT(w, "by counts, sum too large", make(w, sum, list, &n),
	    CL_INVALID_DEVICE_PARTITION_COUNT);
	WANT(w, "by counts, less than zero", make(w, minus, list, &n),
	    CL_INVALID_DEVICE_PARTITION_COUNT);
	WANT(w, "by counts, none", make(w, none, list, &n), CL_INVALID_VALUE,
	    CL_INVALID_DEVICE_PARTITION_COUNT, CL_DEVICE_PARTITION_FAILED);
	IS(w, "by counts, nothing was written", n == 77 && list[0] == NULL);
	if (w->stranger != NULL)
		parts(w);
}

static void
affinity(struct world *w, cl_device_id *list)
{
	const cl_device_affinity_domain has =
	    world_info(w, CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
	const part bad[] = { CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 20,
		0 };
	part p[] = { CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0 };
	cl_uint n = 77;

	WANT(w, "by affinity, of no kind", make(w, p, list, &n),
	    CL_INVALID_VALUE);
	WANT(w, "by affinity, of unknown kind", make(w, bad, list, &n),
	    CL_INVALID_VALUE);
	if (!(has & CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE)) {
		p[1] = CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE;
		WANT(w, "by affinity, which it has not", make(w, p, list,
		    &n), CL_INVALID_VALUE);
	}
}

void
check_clCreateSubDevices(struct world *w)
{
	cl_device_id list[65] = { NULL };

	if (older(w, 12))
		return;
	unsupported(w, list);
	if (can(w, CL_DEVICE_PARTITION_EQUALLY))
		equally(w, list);
	if (can(w, CL_DEVICE_PARTITION_BY_COUNTS))
		counts(w, list);
	if (can(w, CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
		affinity(w, list);
}
