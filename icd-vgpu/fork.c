/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/fork.h"

#include "icd-vgpu/arena.h"
#include "icd-vgpu/callback.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/event.h"
#include "icd-vgpu/image_format.h"
#include "icd-vgpu/object.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/shipment.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_alloc.h"
#include "icd-vgpu/svm_map.h"
#include "icd-vgpu/usm.h"

/* In the order in which threads take the locks, where they hold several. */
static void (*const steps[])(enum fork_phase) = {
	shipment_fork,
	usm_fork,
	client_fork,
	svm_fork,
	svm_alloc_fork,
	svm_map_fork,
	image_formats_fork,
	arena_fork,
	event_fork,
	callback_fork,
	object_fork,
	platform_fork,
};

#define STEPS (sizeof(steps) / sizeof(steps[0]))

static void
fork_prepare(void)
{
	size_t i;

	for (i = 0; i < STEPS; i++)
		steps[i](FORK_PREPARE);
}

static void
fork_parent(void)
{
	size_t i;

	for (i = STEPS; i-- > 0;)
		steps[i](FORK_PARENT);
}

static void
fork_child(void)
{
	size_t i;

	for (i = 0; i < STEPS; i++)
		steps[i](FORK_CHILD);
}

static void
fork_register(void)
{
	pthread_atfork(fork_prepare, fork_parent, fork_child);
}

void
fork_watch(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fork_register);
}
