/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/object.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint alive;

/* ---- how many there are -------------------------------------------------- */

static atomic_int *tally;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
open_tally(void)
{
	const size_t size = KINDS * sizeof(*tally);
	const char *name = script_get()->tally;
	void *p;
	int fd;

	if (name[0] == '\0')
		return;
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, (off_t)size) != 0 ||
	    (p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    0)) == MAP_FAILED)
		abort();
	close(fd);
	tally = p;
}

static void
count(enum kind kind, int change)
{
	pthread_once(&once, open_tally);
	if (tally != NULL)
		atomic_fetch_add(&tally[kind - KIND_PLATFORM], change);
}

/* ---- their life ---------------------------------------------------------- */

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
	count(kind, 1);
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
	count(o->kind, -1);
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
