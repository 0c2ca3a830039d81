/* SPDX-License-Identifier: ISC */
/*
 * spirv - as much of SPIR-V as errors need that have to be told at once.
 *
 * A module is a head of five words and then instructions, each of which begins
 * with its length and its number (SPIR-V 1.6, 2.3).  Whether they mean
 * anything is for the vendor to say, when it builds.
 */
#ifndef VGPU_ICD_SPIRV_H
#define VGPU_ICD_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is this a head with whole instructions behind it, in either byte order? */
bool spirv_is_module(const void *, size_t len);

/*
 * The size in bytes of a module's specialization constant; 0: it has none of
 * this id.
 */
size_t spirv_constant_size(const void *, size_t len, uint32_t spec_id);

#endif
