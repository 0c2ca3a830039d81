/* SPDX-License-Identifier: ISC */
/*
 * calls - every function that fakecl has, once: its prototype, which is the
 * standard one, and its place in the dispatch table (dispatch.c).
 */
#ifndef VGPU_TESTS_FAKECL_CALLS_H
#define VGPU_TESTS_FAKECL_CALLS_H

#include "tests/fakecl/object.h"

#define FAKE_CALLS(X) \
	X(clGetPlatformIDs) X(clGetPlatformInfo) \
	X(clGetExtensionFunctionAddressForPlatform) \
	X(clGetDeviceIDs) X(clGetDeviceInfo) \
	X(clRetainDevice) X(clReleaseDevice) \
	X(clGetDeviceAndHostTimer) X(clGetHostTimer) \
	X(clCreateContext) X(clRetainContext) X(clReleaseContext) \
	X(clGetContextInfo) \
	X(clCreateCommandQueue) X(clCreateCommandQueueWithProperties) \
	X(clRetainCommandQueue) X(clReleaseCommandQueue) \
	X(clGetCommandQueueInfo) X(clFlush) X(clFinish) \
	X(clCreateUserEvent) X(clSetUserEventStatus) X(clSetEventCallback) \
	X(clRetainEvent) X(clReleaseEvent) X(clWaitForEvents) \
	X(clGetEventInfo) X(clGetEventProfilingInfo) \
	X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList) \
	X(clCreateBuffer) X(clCreateBufferWithProperties) \
	X(clCreateSubBuffer) X(clRetainMemObject) X(clReleaseMemObject) \
	X(clGetMemObjectInfo) \
	X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) \
	X(clEnqueueReadBufferRect) X(clEnqueueWriteBufferRect) \
	X(clEnqueueCopyBuffer) X(clEnqueueCopyBufferRect) \
	X(clEnqueueFillBuffer) X(clEnqueueMapBuffer) \
	X(clEnqueueUnmapMemObject) X(clEnqueueMigrateMemObjects) \
	X(clCreateProgramWithSource) X(clCreateProgramWithBinary) \
	X(clRetainProgram) X(clReleaseProgram) X(clBuildProgram) \
	X(clGetProgramInfo) X(clGetProgramBuildInfo) \
	X(clCreateKernel) X(clCreateKernelsInProgram) \
	X(clRetainKernel) X(clReleaseKernel) X(clSetKernelArg) \
	X(clGetKernelInfo) X(clGetKernelArgInfo) X(clGetKernelWorkGroupInfo) \
	X(clEnqueueNDRangeKernel) \
	X(clCreateImage) X(clCreatePipe) X(clCreateSampler) \
	X(clCreateSamplerWithProperties) X(clCreateProgramWithIL) \
	X(clSetProgramSpecializationConstant) \
	X(clCreateProgramWithBuiltInKernels) X(clLinkProgram)

#define FAKE_PROTOTYPE(name) __typeof__(name) fake_##name;
FAKE_CALLS(FAKE_PROTOTYPE)

/* Functions of extensions, which are found by their names. */
void *fake_extension_function(const char *name);

#endif
