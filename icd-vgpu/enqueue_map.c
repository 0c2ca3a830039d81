/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/enqueue.h"

#include <stdlib.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/direct.h"
#include "icd-vgpu/image.h"
#include "icd-vgpu/map.h"
#include "icd-vgpu/platform.h"

static cl_int
check_map(const struct command *c, const struct mem *m, cl_map_flags flags)
{
	cl_int code;

	if (m == NULL)
		return CL_INVALID_MEM_OBJECT;
	if ((code = mem_check_command(c, m)) != CL_SUCCESS ||
	    (code = map_check_flags(flags)) != CL_SUCCESS)
		return code;
	if ((flags & CL_MAP_READ) &&
	    (code = mem_check_host_read(m)) != CL_SUCCESS)
		return code;
	return map_writes(flags) ? mem_check_host_write(m) : CL_SUCCESS;
}

/* A map of a region, entered; NULL: no memory. */
static struct map *
map_new(struct mem *m, cl_map_flags flags, const size_t *origin,
    const size_t *region, const struct layout *layout)
{
	struct map *map = malloc(sizeof(*map));
	int i;

	if (map == NULL)
		return NULL;
	map->ptr = layout->base;
	map->flags = flags;
	map->layout = *layout;
	for (i = 0; i < 3; i++) {
		map->origin[i] = origin[i];
		map->region[i] = region[i];
	}
	map_add(m, map);
	return map;
}

/* Where a mapped part of a buffer lies in the arena. */
static struct layout
map_inside(struct mem *m, const struct map *map)
{
	return mem_is_image(m) ? (struct layout){ .base = NULL } :
	    direct_flat(m, map->origin[0], map->region[0]);
}

/* Send a map's command; its content lands before it is complete. */
static cl_int
map_send(struct command *c, struct mem *m, struct map *map,
    const struct message *desc, const void *msg, uint64_t *transfer)
{
	/* The program may unmap, and free map, as soon as it is sent. */
	const struct layout to = map->layout;
	const struct layout inside = map_inside(m, map);
	cl_int code;

	*transfer = 0;
	if (m->shared && mem_place(m) != NULL)
		code = direct_order(c, desc, msg);
	else if (map_reads(map->flags) && !m->shared)
		code = direct_read(c, desc, msg, transfer, m, &inside, &to,
		    m);
	else
		code = command_send(c, desc, msg, NULL);
	if (code != CL_SUCCESS)
		map_cancel(m, map);
	return code;
}

static cl_int
map_buffer(struct command *c, struct mem *b, cl_map_flags flags,
    size_t offset, size_t size, void **ptr)
{
	const size_t origin[3] = { offset, 0, 0 }, region[3] = { size, 1, 1 };
	struct msg_clEnqueueMapBuffer m;
	struct layout layout;
	struct map *map;
	uint8_t *base;
	cl_int code;

	if ((code = check_map(c, b, flags)) != CL_SUCCESS)
		return command_drop(c, code);
	if (size == 0 || check_range(b, offset, size) != CL_SUCCESS)
		return command_drop(c, CL_INVALID_VALUE);
	if ((base = map_base(b)) == NULL)
		return command_drop(c, CL_MAP_FAILURE);
	layout = layout_flat(base + offset, size);
	if ((map = map_new(b, flags, origin, region, &layout)) == NULL)
		return command_drop(c, CL_OUT_OF_HOST_MEMORY);
	m.command_queue.id = c->queue->o.id;
	m.buffer.id = b->o.id;
	m.map_flags = flags;
	m.offset = offset;
	m.size = size;
	m.event_wait_list = c->list;
	m.event = c->event_id;
	*ptr = layout.base;
	return map_send(c, b, map, &desc_clEnqueueMapBuffer, &m, &m.transfer);
}

void *
icd_clEnqueueMapBuffer(cl_command_queue command_queue, cl_mem buffer,
    cl_bool blocking, cl_map_flags map_flags, size_t offset, size_t size,
    cl_uint n, const cl_event *list, cl_event *event, cl_int *errcode_ret)
{
	struct mem *b = mem_check_buffer(buffer);
	struct command c;
	void *ptr = NULL;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_MAP_BUFFER, blocking, true },
	    n, list, event);

	if (code == CL_SUCCESS)
		code = map_buffer(&c, b, map_flags, offset, size, &ptr);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return code == CL_SUCCESS ? ptr : NULL;
}

static cl_int
map_image(struct command *c, struct mem *i, cl_map_flags flags,
    const size_t *origin, const size_t *region, void **ptr)
{
	struct msg_clEnqueueMapImage m;
	struct triple at, size;
	struct layout layout;
	struct map *map;
	uint8_t *base;

	if ((base = map_base(i)) == NULL)
		return command_drop(c, CL_MAP_FAILURE);
	layout = image_view(i, origin, region, base);
	if ((map = map_new(i, flags, origin, region, &layout)) == NULL)
		return command_drop(c, CL_OUT_OF_HOST_MEMORY);
	at = triple(origin);
	size = triple(region);
	m.command_queue.id = c->queue->o.id;
	m.image.id = i->o.id;
	m.map_flags = flags;
	m.origin = triple_span(&at);
	m.region = triple_span(&size);
	m.event_wait_list = c->list;
	m.event = c->event_id;
	*ptr = layout.base;
	return map_send(c, i, map, &desc_clEnqueueMapImage, &m, &m.transfer);
}

/* A slice pitch has to be told for images that have slices. */
static cl_int
check_map_image(const struct command *c, const struct mem *i,
    cl_map_flags flags, const size_t *origin, const size_t *region,
    const size_t *row_pitch, const size_t *slice_pitch)
{
	cl_int code = check_map(c, i, flags);

	if (code != CL_SUCCESS)
		return code;
	if (device_u64(c->queue->device, CL_DEVICE_IMAGE_SUPPORT) == 0)
		return CL_INVALID_OPERATION;
	if (row_pitch == NULL ||
	    (i->image.slice_pitch != 0 && slice_pitch == NULL))
		return CL_INVALID_VALUE;
	return image_check_region(i, origin, region);
}

void *
icd_clEnqueueMapImage(cl_command_queue command_queue, cl_mem image,
    cl_bool blocking, cl_map_flags map_flags, const size_t *origin,
    const size_t *region, size_t *row_pitch, size_t *slice_pitch, cl_uint n,
    const cl_event *list, cl_event *event, cl_int *errcode_ret)
{
	struct mem *i = mem_check_image(image);
	struct command c;
	void *ptr = NULL;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_MAP_IMAGE, blocking, true },
	    n, list, event);

	if (code == CL_SUCCESS &&
	    (code = check_map_image(&c, i, map_flags, origin, region,
	    row_pitch, slice_pitch)) != CL_SUCCESS)
		command_drop(&c, code);
	if (code == CL_SUCCESS &&
	    (code = map_image(&c, i, map_flags, origin, region, &ptr)) ==
	    CL_SUCCESS) {
		*row_pitch = i->image.row_pitch;
		if (slice_pitch != NULL)
			*slice_pitch = i->image.slice_pitch;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return code == CL_SUCCESS ? ptr : NULL;
}

/* ---- unmap ------------------------------------------------------------- */

static cl_int
unmap_send(struct command *c, struct mem *m, const struct map *map)
{
	struct msg_clEnqueueUnmapMemObject msg = {
		.command_queue.id = c->queue->o.id,
		.memobj.id = m->o.id,
		.event_wait_list = c->list,
		.event = c->event_id,
		.map_flags = map->flags,
		.origin = { map->origin, 3 },
		.region = { map->region, 3 },
	};

	const struct layout inside = map_inside(m, map);

	if (m->shared && mem_place(m) != NULL)
		return direct_order(c, &desc_clEnqueueUnmapMemObject, &msg);
	if (map_writes(map->flags) && !m->shared)
		return direct_write(c, &desc_clEnqueueUnmapMemObject, &msg,
		    &msg.data, &msg.transfer, m, &inside, &map->layout, m);
	return command_send(c, &desc_clEnqueueUnmapMemObject, &msg, NULL);
}

/* Buffers and images; pipes are neither. */
static struct mem *
check_mappable(cl_mem handle)
{
	struct mem *m = mem_check(handle);

	return m != NULL && m->type != CL_MEM_OBJECT_PIPE ? m : NULL;
}

cl_int
icd_clEnqueueUnmapMemObject(cl_command_queue command_queue, cl_mem memobj,
    void *mapped_ptr, cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *m = check_mappable(memobj);
	struct map *map = m != NULL ? map_take(m, mapped_ptr) : NULL;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_UNMAP_MEM_OBJECT, false,
	    map != NULL && map_writes(map->flags) }, n, list, event);

	if (code == CL_SUCCESS && m == NULL)
		code = command_drop(&c, CL_INVALID_MEM_OBJECT);
	else if (code == CL_SUCCESS && (code = mem_check_command(&c, m)) !=
	    CL_SUCCESS)
		command_drop(&c, code);
	else if (code == CL_SUCCESS && map == NULL)
		code = command_drop(&c, CL_INVALID_VALUE);
	else if (code == CL_SUCCESS)
		code = unmap_send(&c, m, map);
	if (map != NULL && code != CL_SUCCESS)
		map_add(m, map);
	else
		free(map);
	return code;
}
