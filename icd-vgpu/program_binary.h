/* SPDX-License-Identifier: ISC */
/*
 * program_binary - binaries of programs, out and in.
 *
 * What an application gets is a container (binary.h) that names the driver it
 * is for; inside it stand 8 bytes with the binary's type and then the vendor's
 * bytes.  Foreign and damaged ones are refused here.
 */
#ifndef VGPU_ICD_PROGRAM_BINARY_H
#define VGPU_ICD_PROGRAM_BINARY_H

#include "icd-vgpu/program.h"

/* Answer CL_PROGRAM_BINARY_SIZES and CL_PROGRAM_BINARIES. */
cl_int program_binary_sizes(struct program *, struct info_out *);
cl_int program_binaries(struct program *, struct info_out *);

#endif
