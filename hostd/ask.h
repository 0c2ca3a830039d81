/* SPDX-License-Identifier: ISC */
/*
 * ask - what a vendor's platform or device answers to a query, in the form in
 * which it is kept and travels.
 */
#ifndef VGPU_HOSTD_ASK_H
#define VGPU_HOSTD_ASK_H

#include <CL/cl.h>

#include "common/infoset.h"
#include "protocol/info.h"

/* clGetPlatformInfo and clGetDeviceInfo have one shape. */
typedef cl_int ask_function(void *of, cl_uint param, size_t, void *,
    size_t *);
ask_function ask_platform, ask_device;

/*
 * Put the answer that means the same in any process; nothing if there is none.
 * Strings that the vendor points to are put one after the other.
 */
void ask_put(ask_function *, void *of, const struct info_param *,
    struct infoset *out);

#endif
