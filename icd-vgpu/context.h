/* SPDX-License-Identifier: ISC */
/*
 * context - contexts, their devices and their callbacks.
 */
#ifndef VGPU_ICD_CONTEXT_H
#define VGPU_ICD_CONTEXT_H

#include "icd-vgpu/callback.h"
#include "icd-vgpu/object.h"

struct destructors;
struct device;
struct image_formats;

struct context {
	struct object o;
	struct device **device;
	cl_uint device_count;
	cl_context_properties *property;	/* as given, with the final 0 */
	size_t property_count;			/* 0: none were given */
	pfn_context notify;
	void *notify_data;
	struct destructors *destructors;
	struct image_formats *formats;		/* image.c's cache */
	uint64_t *default_queue;	/* ids, one a device; call lock */
};

/* The context of a handle, NULL when it is none. */
static inline struct context *
context_check(cl_context handle)
{
	return (struct context *)object_check(handle, OBJ_CONTEXT);
}

/* Is the device one of the context's? */
bool context_has_device(const struct context *, const struct device *);

/* The index of a device in the context; device_count: it has no such one. */
cl_uint context_device_index(const struct context *, const struct device *);

/*
 * The devices of a call that takes an optional list (clBuildProgram and such):
 * *count and ids of the list, or of all devices when the list is null.
 * CL_INVALID_VALUE: one of count and list is missing.  CL_INVALID_DEVICE: not
 * of this context.  ids has room for max.
 */
cl_int context_device_list(const struct context *, cl_uint n,
    const cl_device_id *list, uint64_t *ids, cl_uint max, cl_uint *count);

/* The host's notification for a context, or for the context of an object. */
void context_notify(uint64_t id, const char *text);
void context_note_error(struct object *, const char *text);

/* Call the program's notification function, if it gave one. */
void context_tell(struct context *, const char *text);

/* The context that an object belongs to; NULL for devices and platforms. */
struct context *context_of(struct object *);

#endif
