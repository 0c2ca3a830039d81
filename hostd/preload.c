/* SPDX-License-Identifier: ISC */
#include "hostd/preload.h"

#include <pthread.h>

#include "hostd/vendor.h"

/* There is one in a process. */
static struct {
	bool begun, joined;
	unsigned number;
	const char *icd;
	const struct pool_device *device;
	pthread_t thread;
	struct vendor *vendor;
	enum vgpu_err result;
	struct err_text text;
} self;

/*
 * Some vendors start their threads and compilers with the first context.  It is
 * kept, as they would end them with the last one.  On other devices than the
 * processor a context takes memory that others may want.
 */
static void
make_context(void)
{
	const struct pool_device *d = self.device;
	const struct vendor_platform *p = &self.vendor->platforms[d->platform];
	cl_int code;

	if (infoset_u64(&d->info, CL_DEVICE_TYPE, 0) != CL_DEVICE_TYPE_CPU ||
	    d->platform >= self.vendor->platform_count ||
	    d->device >= p->device_count)
		return;
	clCreateContext(NULL, 1, &p->devices[d->device], NULL, NULL, &code);
}

static void *
run(void *arg)
{
	(void)arg;
	self.result = vendor_open(self.icd, &self.vendor, &self.text);
	if (self.result == VGPU_OK)
		make_context();
	return NULL;
}

void
preload_start(const struct pool *pool)
{
	const struct pool_device *first = pool_first(pool);

	if (first == NULL || pool->vendors[first->vendor].apart)
		return;
	self.device = first;
	self.number = first->vendor;
	self.icd = pool->vendors[self.number].icd;
	self.begun = pthread_create(&self.thread, NULL, run, NULL) == 0;
}

enum vgpu_err
preload_take(unsigned vendor, struct vendor **out, struct err_text *text)
{
	if (!self.begun)
		return VGPU_EAGAIN;
	if (!self.joined)
		pthread_join(self.thread, NULL);
	self.joined = true;
	if (vendor != self.number)
		return VGPU_EAGAIN;
	if (self.result == VGPU_OK)
		*out = self.vendor;
	else
		*text = self.text;
	return self.result;
}
