/* SPDX-License-Identifier: ISC */
/*
 * vec - room for one more element in a plain array that grows at its end.
 *
 * The array's capacity is not kept: it is the element count rounded up to a
 * power of two, so the array is grown when the count is one.
 */
#ifndef VGPU_COMMON_VEC_H
#define VGPU_COMMON_VEC_H

#include <stdint.h>
#include <stdlib.h>

/*
 * Return array p of n elements of the given size with room for element n, to be
 * stored back by the caller; NULL when there is no memory, and p is as before.
 * An array is only ever grown by this function, one element at a time.
 */
static inline void *
vec_more(void *p, size_t n, size_t size)
{
	if ((n & (n - 1)) != 0)
		return p;
	if (n > SIZE_MAX / 2 / size - 1)
		return NULL;
	return realloc(p, (n == 0 ? 1 : 2 * n) * size);
}

#endif
