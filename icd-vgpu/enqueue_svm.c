/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/enqueue.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/map.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_alloc.h"
#include "icd-vgpu/svm_defer.h"
#include "icd-vgpu/svm_map.h"

static cl_int
check_svm(const struct command *c)
{
	return device_u64(c->queue->device, CL_DEVICE_SVM_CAPABILITIES) != 0 ?
	    CL_SUCCESS : CL_INVALID_OPERATION;
}

/* n bytes from p on have to be SVM of the queue's context. */
static cl_int
check_place(const struct command *c, const void *p, size_t n)
{
	const struct svm *s;
	cl_int code = check_svm(c);

	if (code != CL_SUCCESS)
		return code;
	s = p != NULL ? svm_find_range(p, n) : NULL;
	if (s == NULL)
		return CL_INVALID_VALUE;
	return command_check_context(c, s->context);
}

/* ---- map and unmap ----------------------------------------------------- */

static cl_int
map_send(struct command *c, struct svm_map *map)
{
	const struct layout to = layout_flat(map->ptr, map->size);
	struct msg_clEnqueueSVMMap m = {
		.command_queue.id = c->queue->o.id,
		.flags = map->flags,
		.size = map->size,
		.event_wait_list = c->list,
		.event = c->event_id,
		.address = (uintptr_t)map->ptr,
	};
	bool reads = map_reads(map->flags) && !map->fine;
	cl_int code;

	svm_map_add(map);
	code = reads ? enqueue_read(c, &desc_clEnqueueSVMMap, &m, &m.transfer,
	    &to, NULL) : command_send(c, &desc_clEnqueueSVMMap, &m, NULL);
	if (code != CL_SUCCESS)
		svm_map_cancel(map);
	return code;
}

cl_int
icd_clEnqueueSVMMap(cl_command_queue command_queue, cl_bool blocking,
    cl_map_flags flags, void *svm_ptr, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	const struct svm *s;
	struct svm_map *map;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_SVM_MAP, blocking, true },
	    n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_place(&c, svm_ptr, size)) != CL_SUCCESS ||
	    (code = map_check_flags(flags)) != CL_SUCCESS)
		return command_drop(&c, code);
	if (size == 0)
		return command_drop(&c, CL_INVALID_VALUE);
	if ((map = malloc(sizeof(*map))) == NULL)
		return command_drop(&c, CL_OUT_OF_HOST_MEMORY);
	s = svm_find(svm_ptr);
	*map = (struct svm_map){ .ptr = svm_ptr, .size = size,
		.flags = flags, .fine = s != NULL && s->kind.fine };
	return map_send(&c, map);
}

static cl_int
unmap_send(struct command *c, const struct svm_map *map)
{
	struct layout from = layout_flat(map->ptr, map->size);
	struct msg_clEnqueueSVMUnmap m = {
		.command_queue.id = c->queue->o.id,
		.event_wait_list = c->list,
		.event = c->event_id,
		.address = (uintptr_t)map->ptr,
		.size = map->size,
	};

	if (map_writes(map->flags) && !map->fine)
		return enqueue_write(c, &desc_clEnqueueSVMUnmap, &m, &m.data,
		    &m.transfer, &from, NULL);
	return command_send(c, &desc_clEnqueueSVMUnmap, &m, NULL);
}

cl_int
icd_clEnqueueSVMUnmap(cl_command_queue command_queue, void *svm_ptr,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct svm_map *map = svm_map_take(svm_ptr);
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_SVM_UNMAP, false,
	    map != NULL && map_writes(map->flags) }, n, list, event);

	if (code == CL_SUCCESS && (code = check_place(&c, svm_ptr, 1)) !=
	    CL_SUCCESS)
		command_drop(&c, code);
	else if (code == CL_SUCCESS && map == NULL)
		code = command_drop(&c, CL_INVALID_VALUE);
	else if (code == CL_SUCCESS)
		code = unmap_send(&c, map);
	if (map != NULL && code != CL_SUCCESS)
		svm_map_add(map);
	else
		free(map);
	return code;
}

/* ---- migrate ----------------------------------------------------------- */

/* Addresses and sizes as a message has them; a size of 0: to the end. */
static cl_int
take_ranges(const struct command *c, cl_uint count, const void **p,
    const size_t *sizes, uint64_t *pairs)
{
	cl_int code;
	size_t size;
	cl_uint i;

	for (i = 0; i < count; i++) {
		size = sizes != NULL ? sizes[i] : 0;
		code = check_place(c, p[i], size != 0 ? size : 1);
		if (code != CL_SUCCESS)
			return code;
		pairs[i] = (uintptr_t)p[i];
		pairs[count + i] = size;
	}
	return CL_SUCCESS;
}

cl_int
icd_clEnqueueSVMMigrateMem(cl_command_queue command_queue, cl_uint count,
    const void **svm_pointers, const size_t *sizes,
    cl_mem_migration_flags flags, cl_uint n, const cl_event *list,
    cl_event *event)
{
	const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST |
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
	struct msg_clEnqueueSVMMigrateMem m;
	struct command c;
	uint64_t *pairs = NULL;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_SVM_MIGRATE_MEM },
	    n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (check_svm(&c) != CL_SUCCESS)
		code = CL_INVALID_OPERATION;
	else if (count == 0 || svm_pointers == NULL || (flags & ~known))
		code = CL_INVALID_VALUE;
	else if ((pairs = malloc(count * 2 * sizeof(*pairs))) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = take_ranges(&c, count, svm_pointers, sizes, pairs);
	if (code != CL_SUCCESS) {
		free(pairs);
		return command_drop(&c, code);
	}
	m.command_queue.id = c.queue->o.id;
	m.sizes = (struct span){ pairs + count, count };
	m.flags = flags;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	m.addresses = (struct span){ pairs, count };
	code = command_send(&c, &desc_clEnqueueSVMMigrateMem, &m, NULL);
	free(pairs);
	return code;
}

/* ---- free -------------------------------------------------------------- */

struct freeing {
	struct queue *queue;	/* a use */
	pfn_svm_free run;	/* NULL: we free them */
	void *user_data;
	cl_uint count;
	void *p[];
};

static void
freeing_run(void *arg)
{
	struct freeing *f = arg;
	cl_uint i;

	if (f->run != NULL) {
		f->run((cl_command_queue)(void *)f->queue, f->count, f->p,
		    f->user_data);
		return;
	}
	for (i = 0; i < f->count; i++)
		svm_release(f->p[i]);
}

static void
freeing_free(void *arg)
{
	struct freeing *f = arg;

	object_unuse(f->queue);
	free(f);
}

static cl_int
check_free(const struct queue *q, cl_uint count, void **p, bool callback)
{
	cl_uint i;

	if (q == NULL)
		return CL_INVALID_COMMAND_QUEUE;
	if (device_u64(q->device, CL_DEVICE_SVM_CAPABILITIES) == 0)
		return CL_INVALID_OPERATION;
	if ((count == 0) != (p == NULL))
		return CL_INVALID_VALUE;
	for (i = 0; i < count && !callback; i++)
		if (p[i] != NULL && svm_find(p[i]) == NULL)
			return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

cl_int
icd_clEnqueueSVMFree(cl_command_queue command_queue, cl_uint count,
    void **svm_pointers, pfn_svm_free pfn_free_func, void *user_data,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	struct deferred d = { .type = CL_COMMAND_SVM_FREE, .run = freeing_run,
		.free = freeing_free };
	struct freeing *f;
	cl_int code = check_free(q, count, svm_pointers,
	    pfn_free_func != NULL);

	if (code != CL_SUCCESS)
		return code;
	f = malloc(sizeof(*f) + count * sizeof(f->p[0]));
	if (f == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	f->queue = object_use(q);
	f->run = pfn_free_func;
	f->user_data = user_data;
	f->count = count;
	if (count != 0)
		memcpy(f->p, svm_pointers, count * sizeof(f->p[0]));
	d.arg = f;
	return svm_defer(command_queue, &d, n, list, event);
}
