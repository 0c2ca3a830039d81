/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/calls.h"

/* What fakecl does not have. */
static cl_int
absent_int(void)
{
	return CL_INVALID_OPERATION;
}

static void *
absent_handle(void)
{
	return NULL;
}

#define FAKE_ENTRY(name) .name = fake_##name,
#define INT(name) .name = (void *)absent_int,
#define HANDLE(name) .name = (void *)absent_handle,

const struct _cl_icd_dispatch fake_dispatch = {
	FAKE_CALLS(FAKE_ENTRY)
	INT(clSetCommandQueueProperty) INT(clGetSupportedImageFormats)
	INT(clGetImageInfo) INT(clRetainSampler) INT(clReleaseSampler)
	INT(clGetSamplerInfo) INT(clUnloadCompiler)
	INT(clEnqueueReadImage) INT(clEnqueueWriteImage)
	INT(clEnqueueCopyImage) INT(clEnqueueCopyImageToBuffer)
	INT(clEnqueueCopyBufferToImage) INT(clEnqueueTask)
	INT(clEnqueueNativeKernel) INT(clEnqueueMarker)
	INT(clEnqueueWaitForEvents) INT(clEnqueueBarrier)
	INT(clSetMemObjectDestructorCallback) INT(clCreateSubDevices)
	INT(clCompileProgram) INT(clUnloadPlatformCompiler)
	INT(clEnqueueFillImage) INT(clGetPipeInfo) INT(clEnqueueSVMFree)
	INT(clEnqueueSVMMemcpy) INT(clEnqueueSVMMemFill)
	INT(clEnqueueSVMMap) INT(clEnqueueSVMUnmap)
	INT(clEnqueueSVMMigrateMem) INT(clSetKernelArgSVMPointer)
	INT(clSetKernelExecInfo) INT(clGetKernelSubGroupInfo)
	INT(clSetDefaultDeviceCommandQueue) INT(clSetProgramReleaseCallback)
	INT(clSetContextDestructorCallback) INT(clSVMFree)
	HANDLE(clCreateContextFromType) HANDLE(clCreateImage2D)
	HANDLE(clCreateImage3D) HANDLE(clEnqueueMapImage)
	HANDLE(clGetExtensionFunctionAddress) HANDLE(clSVMAlloc)
	HANDLE(clCloneKernel) HANDLE(clCreateImageWithProperties)
};
