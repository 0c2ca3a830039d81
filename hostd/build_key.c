/* SPDX-License-Identifier: ISC */
#include "hostd/build_key.h"

#include <string.h>
#include <unistd.h>

#include "hostd/exec_device.h"

#define FORMAT 1	/* of the entries, and of what is hashed here */

enum part { PART_FORMAT, PART_SOFTWARE, PART_TENANT, PART_VENDOR,
	PART_LIBRARY, PART_DEVICE, PART_PLATFORM, PART_ENVIRONMENT,
	PART_OPTIONS, PART_INCLUDES, PART_LANGUAGE, PART_CODE,
	PART_CONSTANTS };

/* What a driver makes of a program may depend on. */
static const uint32_t device_params[] = { CL_DEVICE_VENDOR, CL_DEVICE_NAME,
	CL_DEVICE_VERSION, CL_DRIVER_VERSION, CL_DEVICE_OPENCL_C_VERSION,
	CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_MAX_WORK_GROUP_SIZE,
	CL_DEVICE_EXTENSIONS };
static const uint32_t platform_params[] = { CL_PLATFORM_NAME,
	CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION };

/* Variables by which compilers of vendors at hand are told what to do. */
static const char *const prefixes[] = { "POCL_", "CL_", "OCL_", "OPENCL_",
	"IGC_", "NEO_", "INTEL_", "SYCL_", "CUDA_", "AMD_", "GPU_", "ROC_",
	"HSA_", "MESA_", "RUSTICL_", "CLC_", "OCLGRIND_", "FAKECL" };

static void
put_params(struct infoset *k, uint32_t part, const struct infoset *from,
    const uint32_t *params, size_t count)
{
	const void *p;
	size_t i, n;

	for (i = 0; i < count; i++) {
		if ((p = infoset_find(from, params[i], &n)) == NULL)
			n = 0;
		infoset_put(k, part, p, n);
	}
}

/* Where the loader looks and where kernels are kept is no setting of theirs. */
static bool
is_setting(const char *variable)
{
	size_t i;

	if (strncmp(variable, "OCL_ICD_", 8) == 0 ||
	    strncmp(variable, "POCL_CACHE_DIR=", 15) == 0)
		return false;
	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

static void
put_environment(struct infoset *k)
{
	char *const *v;

	for (v = environ; v != NULL && *v != NULL; v++)
		if (is_setting(*v))
			infoset_put_text(k, PART_ENVIRONMENT, *v);
}

static void
put_device(struct infoset *k, const struct build_job *j,
    const struct pool_device *d)
{
	infoset_put_text(k, PART_VENDOR,
	    j->serve->start.pool->vendors[d->vendor].icd);
	put_params(k, PART_DEVICE, &d->info, device_params,
	    sizeof(device_params) / sizeof(device_params[0]));
	put_params(k, PART_PLATFORM, &d->platform_info, platform_params,
	    sizeof(platform_params) / sizeof(platform_params[0]));
}

static void
put_code(struct infoset *k, const struct program_code *c)
{
	infoset_put_u32(k, PART_LANGUAGE, c->il);
	infoset_put(k, PART_CODE, c->bytes.p, c->bytes.n);
	if (c->constants != NULL)
		infoset_put_set(k, PART_CONSTANTS, c->constants);
}

bool
build_key_make(const struct build_job *j, const struct program_code *code,
    uint8_t key[SHA256_LEN])
{
	const struct vdevice *d = j->program->devices[0];
	const struct vendor *v = device_vendor(d);
	struct infoset k;
	bool ok;

	if (v == NULL)
		return false;
	infoset_init(&k);
	infoset_put_u32(&k, PART_FORMAT, FORMAT);
	infoset_put_text(&k, PART_SOFTWARE, PACKAGE_VERSION);
	infoset_put_text(&k, PART_TENANT, j->serve->start.tenant);
	infoset_put(&k, PART_LIBRARY, &v->file, sizeof(v->file));
	put_device(&k, j, d->pool);
	put_environment(&k);
	infoset_put(&k, PART_OPTIONS, j->options.p, j->options.n);
	infoset_put_text(&k, PART_INCLUDES, j->includes.options);
	put_code(&k, code);
	ok = !infoset_failed(&k) && sha256(infoset_bytes(&k),
	    infoset_size(&k), key) == VGPU_OK;
	infoset_fini(&k);
	return ok;
}
