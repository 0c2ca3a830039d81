/* SPDX-License-Identifier: ISC */
/*
 * exec_device - the pool's devices as the client's first objects, the vendors
 * they need, sub-devices and timers.
 */
#ifndef VGPU_HOSTD_EXEC_DEVICE_H
#define VGPU_HOSTD_EXEC_DEVICE_H

#include "hostd/serve.h"
#include "hostd/vendor.h"

/*
 * Enter the devices of the serve's view under the ids that the client gives
 * them, 1, 2, ... of generation 1.  No vendor is loaded yet.  VGPU_ENOMEM.
 */
enum vgpu_err devices_open(struct serve *);

/*
 * The device itself; of a class the member that was chosen last, or its first
 * one: for what needs a device and no context.
 */
struct vdevice *device_alone(struct vdevice *);

/*
 * A function of the loader instance that found an opened device's vendor;
 * NULL: it has none of that name.
 */
void *device_loader_function(const struct vdevice *, const char *name);

/* The vendor of a device; NULL: it is not loaded. */
const struct vendor *device_vendor(const struct vdevice *);

/* An opened device's function of an extension; NULL: its vendor lacks it. */
vendor_fn *device_function(const struct vdevice *, enum vendor_function);

#endif
