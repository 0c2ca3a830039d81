/* SPDX-License-Identifier: ISC */
#include "hostd/preload.h"

#include <pthread.h>

#include "hostd/home.h"
#include "hostd/vendor.h"

/* There is one in a process. */
static struct {
	bool begun, joined;
	unsigned number;
	const char *icd;
	pthread_t thread;
	struct vendor *vendor;
	enum vgpu_err result;
	struct err_text text;
} self;

static void *
run(void *arg)
{
	(void)arg;
	self.result = vendor_open(self.icd, &self.vendor, &self.text);
	home_close();
	return NULL;
}

void
preload_start(const struct pool *pool)
{
	const struct pool_device *first = pool_first(pool);

	if (first == NULL || pool->vendors[first->vendor].apart) {
		home_close();
		return;
	}
	self.number = first->vendor;
	self.icd = pool->vendors[self.number].icd;
	self.begun = pthread_create(&self.thread, NULL, run, NULL) == 0;
	if (!self.begun)
		home_close();
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
