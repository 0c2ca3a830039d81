/* SPDX-License-Identifier: ISC */
#include "hostd/preload.h"

#include <pthread.h>
#include <string.h>

#include "hostd/vendor.h"

/*
 * There is one in a process.  The thread sees nothing of the pool, whose devices
 * the session chooses from, and frees, while it runs.
 */
static struct {
	bool begun, joined;
	unsigned number;
	char *icd;
	bool is_cpu;
	unsigned platform, device;
	pthread_t thread;
	struct vendor *vendor;
	cl_context context;
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
	const struct vendor_platform *p;
	cl_int code;

	if (!self.is_cpu || self.platform >= self.vendor->platform_count)
		return;
	p = &self.vendor->platforms[self.platform];
	if (self.device < p->device_count)
		self.context = clCreateContext(NULL, 1,
		    &p->devices[self.device], NULL, NULL, &code);
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
	self.number = first->vendor;
	self.platform = first->platform;
	self.device = first->device;
	self.is_cpu = infoset_u64(&first->info, CL_DEVICE_TYPE, 0) ==
	    CL_DEVICE_TYPE_CPU;
	if ((self.icd = strdup(pool->vendors[self.number].icd)) == NULL)
		return;
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
