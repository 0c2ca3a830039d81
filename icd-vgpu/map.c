/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/map.h"

#include <stdlib.h>
#include <sys/mman.h>

struct area {
	uint8_t *p;
	size_t size;
};

static struct area *
area_new(size_t size)
{
	struct area *a = malloc(sizeof(*a));

	if (a == NULL)
		return NULL;
	a->size = size;
	a->p = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (a->p == MAP_FAILED) {
		free(a);
		return NULL;
	}
	return a;
}

uint8_t *
map_base(struct mem *m)
{
	struct mem *root;
	uint8_t *p;
	size_t offset;

	if (m->host_ptr != NULL)
		return m->host_ptr;
	if ((p = mem_place(m)) != NULL)
		return p;
	root = mem_root(m, &offset);
	pthread_mutex_lock(&root->lock);
	if (root->area == NULL)
		root->area = area_new(root->size);
	if (root->area != NULL)
		p = root->area->p + offset;
	pthread_mutex_unlock(&root->lock);
	return p;
}

void
map_add(struct mem *m, struct map *map)
{
	pthread_mutex_lock(&m->lock);
	map->next = m->maps;
	m->maps = map;
	m->map_count++;
	pthread_mutex_unlock(&m->lock);
}

static struct map *
take(struct mem *m, const struct map *map, const void *ptr)
{
	struct map **at, *found;

	pthread_mutex_lock(&m->lock);
	for (at = &m->maps; (found = *at) != NULL; at = &found->next)
		if (found == map || (map == NULL && found->ptr == ptr))
			break;
	if (found != NULL) {
		*at = found->next;
		m->map_count--;
	}
	pthread_mutex_unlock(&m->lock);
	return found;
}

struct map *
map_take(struct mem *m, const void *ptr)
{
	return ptr != NULL ? take(m, NULL, ptr) : NULL;
}

void
map_cancel(struct mem *m, struct map *map)
{
	free(take(m, map, NULL));
}

cl_int
map_check_flags(cl_map_flags flags)
{
	const cl_map_flags plain = CL_MAP_READ | CL_MAP_WRITE;

	if (flags & ~(plain | CL_MAP_WRITE_INVALIDATE_REGION))
		return CL_INVALID_VALUE;
	if ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & plain))
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

void
map_fini(struct mem *m)
{
	struct map *map;

	while ((map = m->maps) != NULL) {
		m->maps = map->next;
		free(map);
	}
	if (m->area != NULL) {
		munmap(m->area->p, m->area->size);
		free(m->area);
	}
}
