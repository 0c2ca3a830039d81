/* SPDX-License-Identifier: ISC */
#include "hostd/vendor.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "libOpenCL.so.1"
#define NOWHERE "/nonexistent/vgpu"

/*
 * What tells the two loaders (ocl-icd, Khronos) where vendors are and how to
 * present them.  The first two are replaced, the others are taken away.
 */
static const char *const loader_env[] = { "OCL_ICD_VENDORS",
	"OCL_ICD_FILENAMES", "OPENCL_LAYERS", "OPENCL_VENDOR_PATH",
	"OCL_ICD_PLATFORM_SORT", "OCL_ICD_DEFAULT_PLATFORM" };
#define LOADER_ENV (sizeof(loader_env) / sizeof(loader_env[0]))
#define REPLACED 2

typedef cl_int (*get_platforms_fn)(cl_uint, cl_platform_id *, cl_uint *);
typedef void *(*get_address_fn)(const char *);

static void
show_loader(const char *library)
{
	size_t i;

	for (i = 0; i < LOADER_ENV; i++)
		if (i < REPLACED)
			setenv(loader_env[i], library, 1);
		else
			unsetenv(loader_env[i]);
}

void
vendor_init(void)
{
	show_loader(NOWHERE);
}

bool
vendor_is_vgpu(const char *library)
{
	const char *base = strrchr(library, '/');

	base = base == NULL ? library : base + 1;
	return strncmp(base, "libvgpu-icd", strlen("libvgpu-icd")) == 0;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* The first line of an .icd file, without space around it. */
static enum vgpu_err
read_icd(const char *icd, char *out, size_t size, struct err_text *text)
{
	FILE *f;
	char line[PATH_MAX];
	const char *start;
	size_t n = 0;

	if ((f = fopen(icd, "re")) == NULL)
		return err_sys(text, "cannot open %s", icd);
	if (fgets(line, sizeof(line), f) == NULL)
		line[0] = '\0';
	fclose(f);
	start = line + strspn(line, " \t\r\n");
	n = strcspn(start, "\r\n");
	while (n > 0 && (start[n - 1] == ' ' || start[n - 1] == '\t'))
		n--;
	if (n == 0 || n >= size)
		return err_set(text, VGPU_ECONF,
		    "%s: no library name in its first line", icd);
	memcpy(out, start, n);
	out[n] = '\0';
	return VGPU_OK;
}

enum vgpu_err
vendor_library(const char *icd, char *out, size_t size, struct err_text *text)
{
	if (ends_with(icd, ".icd"))
		return read_icd(icd, out, size, text);
	if (strlen(icd) >= size)
		return err_set(text, VGPU_ECONF, "%s: name too long", icd);
	strcpy(out, icd);
	return VGPU_OK;
}

/* The file that a function of the library is in. */
static struct vendor_file
file_of(get_address_fn function)
{
	struct vendor_file f = { 0, 0, 0 };
	struct stat st;
	Dl_info info;

	if (dladdr(*(void **)&function, &info) != 0 &&
	    stat(info.dli_fname, &st) == 0)
		f = (struct vendor_file){ (uint64_t)st.st_size,
			st.st_mtim.tv_sec, st.st_mtim.tv_nsec };
	return f;
}

/*
 * Open the library itself first: dlerror tells why it does not load, which
 * the loader keeps to itself, and a renamed vgpu is found before it is asked
 * for platforms.  The handle is kept, so the vendor never goes away.
 */
static enum vgpu_err
check_library(const char *library, struct vendor_file *file,
    struct err_text *text)
{
	get_address_fn address;
	void *handle;

	if (vendor_is_vgpu(library))
		return err_set(text, VGPU_ECONF, "%s is vgpu itself", library);
	if ((handle = dlopen(library, RTLD_NOW | RTLD_LOCAL)) == NULL)
		return err_set(text, VGPU_ECL, "%s", dlerror());
	*(void **)&address = dlsym(handle, "clGetExtensionFunctionAddress");
	if (address == NULL)
		return err_set(text, VGPU_ECL,
		    "%s is no OpenCL vendor library: it does not export "
		    "clGetExtensionFunctionAddress", library);
	if (address(VENDOR_MARKER) != NULL)
		return err_set(text, VGPU_ECONF, "%s is vgpu itself", library);
	*file = file_of(address);
	return VGPU_OK;
}

/* The file of the linked loader, as the dynamic linker found it. */
static int
open_linked_loader(struct err_text *text)
{
	struct link_map *map;
	void *handle;
	int fd;

	if ((handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)) == NULL)
		return err_set(text, VGPU_ESYS, "%s", dlerror()), -1;
	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
		err_set(text, VGPU_ESYS, "%s", dlerror());
		dlclose(handle);
		return -1;
	}
	if ((fd = open(map->l_name, O_RDONLY | O_CLOEXEC)) < 0)
		err_sys(text, "cannot open %s", map->l_name);
	dlclose(handle);
	return fd;
}

/* A copy of the loader's file; another file is another library to dlopen. */
static int
copy_loader(struct err_text *text)
{
	struct stat st;
	off_t at = 0;
	int from, to;

	if ((from = open_linked_loader(text)) < 0)
		return -1;
	if ((to = memfd_create("vgpu-loader", MFD_CLOEXEC)) < 0 ||
	    fstat(from, &st) != 0)
		goto fail;
	while (at < st.st_size)
		if (sendfile(to, from, &at, (size_t)(st.st_size - at)) <= 0)
			goto fail;
	close(from);
	return to;
fail:
	err_sys(text, "cannot copy the OpenCL loader into memory");
	if (to >= 0)
		close(to);
	close(from);
	return -1;
}

/*
 * How the loaders are told of one library.  Both take its name, ocl-icd in place
 * of a folder of vendors and Khronos' as one of a list, so nothing is written
 * that would be left over where the vendor crashes or hangs.  Where the name
 * would mean something else to one of them, it is that of a descriptor, which
 * goes to *fd; else that is -1.  It is the library that is loaded already.
 */
static enum vgpu_err
name_for_loader(const char *library, char *out, size_t size, int *fd,
    struct err_text *text)
{
	*fd = -1;
	if (strchr(library, ':') == NULL && !ends_with(library, ".icd")) {
		snprintf(out, size, "%s", library);
		return VGPU_OK;
	}
	if ((*fd = open(library, O_RDONLY | O_CLOEXEC)) < 0)
		return err_sys(text, "cannot open %s", library);
	snprintf(out, size, "/proc/self/fd/%d", *fd);
	return VGPU_OK;
}

/* What vendor_init or the user had set, to be put back. */
static void
env_save(char *saved[LOADER_ENV])
{
	const char *v;
	size_t i;

	for (i = 0; i < LOADER_ENV; i++) {
		v = getenv(loader_env[i]);
		saved[i] = v == NULL ? NULL : strdup(v);
	}
}

static void
env_restore(char *saved[LOADER_ENV])
{
	size_t i;

	for (i = 0; i < LOADER_ENV; i++) {
		if (saved[i] != NULL)
			setenv(loader_env[i], saved[i], 1);
		else
			unsetenv(loader_env[i]);
		free(saved[i]);
	}
}

/*
 * The loader's only call, with an environment that shows it one vendor.  Most
 * of what is set here vendor_init has set already, so that the array of the
 * environment does not move under another thread's getenv.
 */
static enum vgpu_err
find_platforms(struct vendor *v, const char *library, struct err_text *text)
{
	cl_platform_id ids[VENDOR_PLATFORMS_MAX];
	get_platforms_fn get;
	char *saved[LOADER_ENV];
	cl_uint n = 0, i;
	cl_int rc;

	*(void **)&get = dlsym(v->loader, "clGetPlatformIDs");
	if (get == NULL)
		return err_set(text, VGPU_ESYS, "%s", dlerror());
	env_save(saved);
	show_loader(library);
	rc = get(VENDOR_PLATFORMS_MAX, ids, &n);
	env_restore(saved);
	if (rc != CL_SUCCESS || n == 0)
		return err_set(text, VGPU_ECL, "no platform (error %d)", rc);
	for (i = 0; i < n && i < VENDOR_PLATFORMS_MAX; i++)
		v->platforms[i].id = ids[i];
	v->platform_count = i;
	return VGPU_OK;
}

/* Loaders find functions of extensions from OpenCL 1.2 on. */
static bool
can_find_functions(const struct vendor_platform *p)
{
	char text[256] = "";
	unsigned major, minor;

	return clGetPlatformInfo(p->id, CL_PLATFORM_VERSION, sizeof(text) - 1,
	    text, NULL) == CL_SUCCESS &&
	    sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 &&
	    (major > 1 || minor >= 2);
}

static void
find_functions(struct vendor *v)
{
	struct vendor_platform *p;
	unsigned i, f;

	for (i = 0; i < v->platform_count; i++) {
		p = &v->platforms[i];
		if (!can_find_functions(p))
			continue;
		for (f = 0; f < FUNCTION_COUNT; f++)
			*(void **)&p->functions[f] =
			    clGetExtensionFunctionAddressForPlatform(p->id,
			    extension_functions[f].name);
	}
}

static enum vgpu_err
find_devices(struct vendor *v, struct err_text *text)
{
	struct vendor_platform *p;
	unsigned i, total = 0;
	cl_uint n;
	cl_int rc, last = CL_SUCCESS;

	for (i = 0; i < v->platform_count; i++) {
		p = &v->platforms[i];
		n = 0;
		rc = clGetDeviceIDs(p->id, CL_DEVICE_TYPE_ALL,
		    VENDOR_DEVICES_MAX, p->devices, &n);
		if (rc != CL_SUCCESS) {
			last = rc;
			n = 0;
		}
		p->device_count = n < VENDOR_DEVICES_MAX ? n :
		    VENDOR_DEVICES_MAX;
		total += p->device_count;
	}
	if (total == 0)
		return err_set(text, VGPU_ECL, "no device (error %d)", last);
	return VGPU_OK;
}

static enum vgpu_err
load(struct vendor *v, const char *library, struct err_text *text)
{
	char name[PATH_MAX], path[64];
	enum vgpu_err rc;
	int fd;

	if ((v->loader_fd = copy_loader(text)) < 0)
		return VGPU_ESYS;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", v->loader_fd);
	if ((v->loader = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL)
		return err_set(text, VGPU_ESYS, "%s", dlerror());
	rc = name_for_loader(library, name, sizeof(name), &fd, text);
	if (rc != VGPU_OK)
		return rc;
	rc = find_platforms(v, name, text);
	if (fd >= 0)
		close(fd);
	if (rc != VGPU_OK)
		return rc;
	find_functions(v);
	return find_devices(v, text);
}

enum vgpu_err
vendor_open(const char *icd, struct vendor **out, struct err_text *text)
{
	char library[PATH_MAX];
	struct vendor_file file;
	struct vendor *v;
	enum vgpu_err rc;

	rc = vendor_library(icd, library, sizeof(library), text);
	if (rc != VGPU_OK ||
	    (rc = check_library(library, &file, text)) != VGPU_OK)
		return rc;
	if ((v = calloc(1, sizeof(*v))) == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	v->file = file;
	rc = load(v, library, text);
	if (rc == VGPU_OK)
		*out = v;
	else
		vendor_close(v);
	return rc;
}

void
vendor_close(struct vendor *v)
{
	free(v);
}
