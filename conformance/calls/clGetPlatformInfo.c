/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetPlatformInfo(object, param, size, value, size_ret);
}

/* Each text is there, ends with its NUL and is as long as it says. */
static bool
is_text(struct world *w, cl_platform_info param)
{
	char text[16384];
	size_t n = 0;

	return clGetPlatformInfo(w->platform, param, sizeof(text), text, &n) ==
	    CL_SUCCESS && n == strnlen(text, sizeof(text)) + 1;
}

void
check_clGetPlatformInfo(struct world *w)
{
	char version[128] = "";
	size_t n = 0;

	must(clGetPlatformInfo(w->platform, CL_PLATFORM_VERSION, 0, NULL, &n),
	    "size of CL_PLATFORM_VERSION");
	/* Loaders may take a null platform for one of their choice. */
	query_cases(w, &(struct query){ .ask = ask, .object = w->platform,
	    .type = "cl_platform_id", .no_object = CL_INVALID_PLATFORM,
	    .none_allowed = true, .param = CL_PLATFORM_VERSION, .size = n });
	must(clGetPlatformInfo(w->platform, CL_PLATFORM_VERSION,
	    sizeof(version), version, NULL), "CL_PLATFORM_VERSION");
	IS(w, "version begins with OpenCL",
	    strncmp(version, "OpenCL ", 7) == 0);
	IS(w, "profile is a text", is_text(w, CL_PLATFORM_PROFILE));
	IS(w, "name is a text", is_text(w, CL_PLATFORM_NAME));
	IS(w, "vendor is a text", is_text(w, CL_PLATFORM_VENDOR));
	IS(w, "extensions are a text", is_text(w, CL_PLATFORM_EXTENSIONS));
}
