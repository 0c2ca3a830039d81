/* SPDX-License-Identifier: ISC */
/*
 * present - what the client is shown of platform and devices.
 *
 * A device's properties are those of the pool, bytes for bytes, but for what
 * cannot cross a network (fine-grained shared memory, native kernels), type and
 * name where the administrator changed them, and a mark in the driver's version,
 * so that programs which keep binaries by name do not take a local device's for
 * it.  A class device has an identity of its own; see present_class.h.
 */
#ifndef VGPU_HOSTD_PRESENT_H
#define VGPU_HOSTD_PRESENT_H

#include "common/buf.h"
#include "common/infoset.h"
#include "hostd/serve.h"

#define FINGERPRINT_LEN 32

/* The platform vGPU as this session's pool lets it be; to be ended by fini. */
void present_platform(struct serve *, struct infoset *);

/* Encode a device_record; a sub-device is asked natively. */
void present_device(struct serve *, const struct vdevice *, struct buf *);

#endif
