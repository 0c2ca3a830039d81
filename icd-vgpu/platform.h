/* SPDX-License-Identifier: ISC */
/*
 * platform - the one platform, vGPU, and its devices.
 *
 * All that the host told about a device at hello is kept as its infoset, so
 * queries need no message.  Root devices live as long as the process and are
 * not counted; sub-devices are (OpenCL 3.0, 4.3).
 */
#ifndef VGPU_ICD_PLATFORM_H
#define VGPU_ICD_PLATFORM_H

#include "common/infoset.h"
#include "icd-vgpu/object.h"
#include "protocol/messages.h"

#define FINGERPRINT_LEN 32

struct client;

/* Does the vendor tell about arguments without -cl-kernel-arg-info? */
enum device_arg_info { ARG_INFO_UNKNOWN, ARG_INFO_NEVER, ARG_INFO_ALWAYS };

struct device {
	struct object o;
	struct device *parent;		/* NULL: a root device */
	uint64_t vendor;		/* equal: can share a context */
	bool shares_memory;		/* buffers may lie in the arena */
	atomic_int arg_info;		/* enum device_arg_info */
	uint8_t fingerprint[FINGERPRINT_LEN];
	struct infoset info;
	cl_version version;		/* see device_version; 0: not yet */
	cl_device_partition_property *partition;	/* of a sub-device */
	size_t partition_count;				/* with the final 0 */
};

/*
 * Make the platform from a host's welcome.  VGPU_EPROTO: its devices do not
 * decode.  Ids of devices are 1, 2, ... with generation 1, as the host has
 * them, so this comes before any other object.
 */
enum vgpu_err platform_open(const struct msg_welcome *, struct err_text *);

/*
 * A device from a device_record that the host sent; parent NULL: a root device.
 * NULL: it does not decode, or out of memory.
 */
struct device *device_new(const struct span *record, struct device *parent,
    struct err_text *);
void device_fini(struct object *);

/*
 * A root device that a welcome tells of: before, which the parent of this process
 * had, if it is still the same one, or a new one.
 */
struct device *device_root_new(const struct span *record,
    struct device *before, struct err_text *);

/*
 * In a child after fork platform and root devices live on, and wait for a
 * connection of the child's own, whose platform_open confirms them.
 */
void platform_fork(enum fork_phase);

/* The platform's object; NULL while there is none. */
struct object *platform_get(void);

/* Its root devices. */
cl_uint platform_devices(struct device *const **);

/* The device of a handle, NULL when it is none. */
static inline struct device *
device_check(cl_device_id handle)
{
	return (struct device *)object_check(handle, OBJ_DEVICE);
}

/* A property's bytes, NULL when the device does not have it. */
const void *device_info(const struct device *, cl_device_info, size_t *size);

/* A property of 4 or 8 bytes as a number, 0 when absent. */
uint64_t device_u64(const struct device *, cl_device_info);

/* Does the device, or any root device, have this extension? */
bool device_has_extension(const struct device *, const char *name);
bool platform_has_extension(const char *name);

/* The device's OpenCL version as CL_MAKE_VERSION would have it. */
cl_version device_version(const struct device *);

#endif
