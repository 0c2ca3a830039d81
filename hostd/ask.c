/* SPDX-License-Identifier: ISC */
#include "hostd/ask.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/twice.h"

/* Longer answers are not believed. */
#define VALUE_MAX 65536

cl_int
ask_platform(void *of, cl_uint param, size_t size, void *value, size_t *got)
{
	return clGetPlatformInfo(of, param, size, value, got);
}

cl_int
ask_device(void *of, cl_uint param, size_t size, void *value, size_t *got)
{
	return clGetDeviceInfo(of, param, size, value, got);
}

static void
put_strings(struct infoset *out, uint32_t param, const char *const *list,
    size_t n)
{
	struct buf all;
	size_t i;

	buf_init(&all);
	for (i = 0; i < n; i++)
		if (list[i] != NULL)
			buf_append(&all, list[i], strlen(list[i]) + 1);
	if (!all.failed)
		infoset_put(out, param, buf_front(&all), buf_len(&all));
	buf_fini(&all);
}

static bool
answers(ask_function *ask, void *of, cl_uint param, size_t n, void *value,
    size_t *size)
{
	return TWICE(ask(of, param, n, value, size)) == CL_SUCCESS;
}

/* The buffer is zeroed: some vendors write less than they say. */
void
ask_put(ask_function *ask, void *of, const struct info_param *p,
    struct infoset *out)
{
	size_t n = 0;
	void *value;

	if ((p->type != INFO_SHADOW && p->type != INFO_STRINGS) ||
	    !answers(ask, of, p->param, 0, NULL, &n) || n > VALUE_MAX ||
	    (value = calloc(1, n + 1)) == NULL)
		return;
	if (n > 0 && !answers(ask, of, p->param, n, value, NULL))
		;
	else if (p->type == INFO_STRINGS)
		put_strings(out, p->param, value, n / sizeof(char *));
	else
		infoset_put(out, p->param, value, n);
	free(value);
}
