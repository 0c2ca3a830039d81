/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/object.h"

#include <string.h>

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint alive;

void *
fake_new(enum kind kind, size_t size, void (*fini)(void *))
{
	struct object *o = calloc(1, size);

	if (o == NULL)
		abort();	/* a test that ran out of memory has failed */
	atomic_fetch_add(&alive, 1);
	o->dispatch = &fake_dispatch;
	o->kind = kind;
	o->fini = fini;
	atomic_init(&o->refs, 1);
	return o;
}

void *
fake_ref(void *object)
{
	struct object *o = object;

	if (o != NULL)
		atomic_fetch_add(&o->refs, 1);
	return o;
}

void
fake_unref(void *object)
{
	struct object *o = object;

	if (o == NULL || atomic_fetch_sub(&o->refs, 1) != 1)
		return;
	if (o->fini != NULL)
		o->fini(o);
	free(o);
	atomic_fetch_sub(&alive, 1);
}

unsigned
fake_alive(void)
{
	return atomic_load(&alive);
}

bool
fake_is(const void *object, enum kind kind)
{
	const struct object *o = object;

	return o != NULL && o->dispatch == &fake_dispatch && o->kind == kind;
}

cl_int
fake_info(size_t size, void *value, size_t *size_ret, const void *p, size_t n)
{
	if (value != NULL && size < n)
		return CL_INVALID_VALUE;
	if (value != NULL && n > 0)
		memcpy(value, p, n);
	if (size_ret != NULL)
		*size_ret = n;
	return CL_SUCCESS;
}

cl_int
fake_info_text(size_t size, void *value, size_t *size_ret, const char *text)
{
	return fake_info(size, value, size_ret, text, strlen(text) + 1);
}

void *
fake_none(cl_int *ret, cl_int code)
{
	if (ret != NULL)
		*ret = code;
	return NULL;
}

void *
fake_made(cl_int *ret, void *object)
{
	if (ret != NULL)
		*ret = CL_SUCCESS;
	return object;
}
