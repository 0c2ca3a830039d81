/* SPDX-License-Identifier: ISC */
/*
 * build_key - the name of all that the outcome of a build depends on.
 */
#ifndef VGPU_HOSTD_BUILD_KEY_H
#define VGPU_HOSTD_BUILD_KEY_H

#include "common/sha256.h"
#include "hostd/build_job.h"
#include "hostd/program_code.h"

/*
 * The key of a build whose include files are in their mirror: tenant, this
 * software, vendor's library, platform, device and driver, settings of vendors
 * in the environment, options, folders and contents of include files, code.
 * False: no memory, or there is no such vendor.
 */
bool build_key_make(const struct build_job *, const struct program_code *,
    uint8_t key[SHA256_LEN]);

#endif
