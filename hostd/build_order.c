/* SPDX-License-Identifier: ISC */
#include "hostd/build_order.h"

#include <unistd.h>

#include "common/log.h"
#include "hostd/channel.h"
#include "hostd/memfd.h"
#include "hostd/program_code.h"

static void
fill(struct infoset *order, const struct build_job *j,
    const struct program_code *code, const struct infoset *entry,
    const char *options)
{
	const struct pool_device *d = j->program->devices[0]->pool;

	infoset_put_text(order, ORDER_ICD,
	    j->serve->start.pool->vendors[d->vendor].icd);
	infoset_put_u32(order, ORDER_PLATFORM, d->platform);
	infoset_put_u32(order, ORDER_DEVICE, d->device);
	infoset_put_text(order, ORDER_OPTIONS, options);
	infoset_put_u32(order, ORDER_IL, code->il);
	infoset_put(order, ORDER_CODE, code->bytes.p, code->bytes.n);
	if (code->constants != NULL)
		infoset_put_set(order, ORDER_CONSTANTS, code->constants);
	infoset_put(order, ORDER_KEY, j->key, sizeof(j->key));
	infoset_put_set(order, ORDER_ENTRY, entry);
}

void
build_order_send(const struct build_job *j, const struct infoset *entry,
    const char *options)
{
	struct program_code code;
	struct err_text text;
	struct infoset order;
	int fd;

	if (!build_job_code(j, &code))
		return;
	infoset_init(&order);
	fill(&order, j, &code, entry, options);
	if (!infoset_failed(&order) && (fd = memfd_sealed("vgpu-order",
	    infoset_bytes(&order), infoset_size(&order), &text)) >= 0) {
		channel_order_build(fd);
		close(fd);
		log_debug("build: its binary is ordered");
	}
	infoset_fini(&order);
}
