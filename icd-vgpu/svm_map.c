/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/svm_map.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct svm_map *maps;

void
svm_map_add(struct svm_map *m)
{
	pthread_mutex_lock(&lock);
	m->next = maps;
	maps = m;
	pthread_mutex_unlock(&lock);
}

static struct svm_map *
take(const struct svm_map *map, const void *ptr)
{
	struct svm_map **at, *found;

	pthread_mutex_lock(&lock);
	for (at = &maps; (found = *at) != NULL; at = &found->next)
		if (found == map || (map == NULL && found->ptr == ptr))
			break;
	if (found != NULL)
		*at = found->next;
	pthread_mutex_unlock(&lock);
	return found;
}

struct svm_map *
svm_map_take(const void *ptr)
{
	return take(NULL, ptr);
}

void
svm_map_cancel(struct svm_map *m)
{
	free(take(m, NULL));
}

void
svm_map_forget(const void *base, size_t size)
{
	struct svm_map **at, *m;

	pthread_mutex_lock(&lock);
	for (at = &maps; (m = *at) != NULL;) {
		if ((uintptr_t)m->ptr - (uintptr_t)base >= size) {
			at = &m->next;
			continue;
		}
		*at = m->next;
		free(m);
	}
	pthread_mutex_unlock(&lock);
}

void
svm_map_fork(enum fork_phase phase)
{
	if (phase == FORK_CHILD)
		maps = NULL;
	fork_mutex(&lock, phase);
}
