/* SPDX-License-Identifier: ISC */
#include "conformance/calls/semaphores.h"

typedef cl_int function(cl_semaphore_khr, cl_device_id, cl_uint, size_t,
    void *, size_t *);

/* CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, of cl_khr_external_semaphore_opaque_fd */
#define OPAQUE_FD 0x2055

void
check_clGetSemaphoreHandleForTypeKHR(struct world *w)
{
	function *f = (function *)extension(w, SEMAPHORES,
	    "clGetSemaphoreHandleForTypeKHR");
	cl_semaphore_khr s;
	int fd = -1;

	if (f == NULL)
		return;
	s = semaphore_open(w, w->context);
	WANT_HANDLE(w, "semaphore", cl_semaphore_khr, f(h, w->device,
	    OPAQUE_FD, sizeof(fd), &fd, NULL), CL_INVALID_SEMAPHORE_KHR);
	WANT_HANDLE(w, "device", cl_device_id, f(s, h, OPAQUE_FD, sizeof(fd),
	    &fd, NULL), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "a device of another context", f(s, w->stranger,
		    OPAQUE_FD, sizeof(fd), &fd, NULL), CL_INVALID_DEVICE);
	WANT(w, "a type that it was not made for", f(s, w->device, OPAQUE_FD,
	    sizeof(fd), &fd, NULL), CL_INVALID_VALUE);
	IS(w, "no handle is written", fd == -1);
	semaphore_close(w, s);
}
