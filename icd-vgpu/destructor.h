/* SPDX-License-Identifier: ISC */
/*
 * destructor - callbacks that run when an object is gone: released here, and
 * no longer in use on the host, which tells that when it is asked.  Last
 * registered, first called (OpenCL 3.0, 5.5.7 and 4.4).
 */
#ifndef VGPU_ICD_DESTRUCTOR_H
#define VGPU_ICD_DESTRUCTOR_H

#include <CL/cl.h>

#include "icd-vgpu/callback.h"
#include "protocol/messages.h"

struct destructors;

/* A function of the object's type. */
union destructor_function {
	pfn_context_gone context;
	pfn_mem mem;
	pfn_program program;
};

/*
 * Add one to an object's list, which is NULL at first; handle is what it will
 * be called with.  With the first one msg is sent, whose reply says that the
 * host is done with the object; message NULL: nobody is asked.
 * CL_OUT_OF_HOST_MEMORY.
 */
cl_int destructor_add(struct destructors **, enum obj_kind, void *handle,
    union destructor_function, void *user_data, const struct message *,
    const void *msg);

/* The object has been released here; takes the list, which may be NULL. */
void destructor_release(struct destructors *);

#endif
