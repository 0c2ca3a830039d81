/* SPDX-License-Identifier: ISC */
/*
 * command_record - the calls that record commands.
 */
#include "icd-vgpu/calls.h"

#include <stdlib.h>

#include "icd-vgpu/command_buffer.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/mutable.h"
#include "icd-vgpu/queue.h"
#include "icd-vgpu/svm.h"

typedef struct _cl_command_buffer_khr *buffer_handle;
typedef struct _cl_mutable_command_khr *command_handle;

/* One command being recorded; the buffer is locked. */
struct recording {
	struct command_buffer *buffer;
	cl_command_queue queue;		/* to enqueue into */
	uint64_t *sync;
};

/* Sync-points are numbers of earlier commands, from 1. */
static cl_int
take_sync_points(struct recording *r, cl_uint n, const cl_uint *list)
{
	cl_uint i;

	if ((n == 0) != (list == NULL) || n > r->buffer->count)
		return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
	if (n > 0 && (r->sync = malloc(n * sizeof(*r->sync))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < n; i++) {
		if (list[i] == 0 || list[i] > r->buffer->count)
			return CL_INVALID_SYNC_POINT_WAIT_LIST_KHR;
		r->sync[i] = list[i];
	}
	r->buffer->sync = (struct span){ r->sync, n };
	return CL_SUCCESS;
}

static cl_int
record_end(struct recording *r, cl_int code)
{
	free(r->sync);
	r->buffer->sync = (struct span){ NULL, 0 };
	pthread_mutex_unlock(&r->buffer->lock);
	return code;
}

static cl_int
record_begin(struct recording *r, buffer_handle buffer,
    cl_command_queue queue, cl_uint n, const cl_uint *list)
{
	cl_int code;

	r->buffer = command_buffer_check(buffer);
	r->sync = NULL;
	if (r->buffer == NULL)
		return CL_INVALID_COMMAND_BUFFER_KHR;
	if (queue != NULL)
		return CL_INVALID_COMMAND_QUEUE;
	r->queue = (cl_command_queue)(void *)r->buffer->recorder;
	pthread_mutex_lock(&r->buffer->lock);
	code = r->buffer->finalized ? CL_INVALID_OPERATION :
	    take_sync_points(r, n, list);
	return code == CL_SUCCESS ? code : record_end(r, code);
}

/* All but launches: there are no properties and no handle. */
static cl_int
record_open(struct recording *r, buffer_handle buffer,
    cl_command_queue queue, const cl_ulong *properties, cl_uint n,
    const cl_uint *list, const command_handle *handle)
{
	cl_int code = record_begin(r, buffer, queue, n, list);

	if (code != CL_SUCCESS)
		return code;
	return handle != NULL || (properties != NULL && properties[0] != 0) ?
	    record_end(r, CL_INVALID_VALUE) : CL_SUCCESS;
}

static cl_int
record_close(struct recording *r, cl_uint *sync_point, cl_int code)
{
	if (code == CL_SUCCESS) {
		r->buffer->count++;
		if (sync_point != NULL)
			*sync_point = r->buffer->count;
	}
	return record_end(r, code);
}

cl_int
icd_clCommandBarrierWithWaitListKHR(buffer_handle buffer,
    cl_command_queue queue, const cl_ulong *properties, cl_uint n,
    const cl_uint *list, cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueBarrierWithWaitList(r.queue, 0, NULL, NULL));
}

cl_int
icd_clCommandCopyBufferKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, cl_mem src_buffer, cl_mem dst_buffer,
    size_t src_offset, size_t dst_offset, size_t size, cl_uint n,
    const cl_uint *list, cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueCopyBuffer(r.queue, src_buffer, dst_buffer,
	    src_offset, dst_offset, size, 0, NULL, NULL));
}

cl_int
icd_clCommandCopyBufferRectKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, cl_mem src_buffer, cl_mem dst_buffer,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    size_t src_row_pitch, size_t src_slice_pitch, size_t dst_row_pitch,
    size_t dst_slice_pitch, cl_uint n, const cl_uint *list,
    cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueCopyBufferRect(r.queue, src_buffer, dst_buffer,
	    src_origin, dst_origin, region, src_row_pitch, src_slice_pitch,
	    dst_row_pitch, dst_slice_pitch, 0, NULL, NULL));
}

cl_int
icd_clCommandCopyBufferToImageKHR(buffer_handle buffer,
    cl_command_queue queue, const cl_ulong *properties, cl_mem src_buffer,
    cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
    const size_t *region, cl_uint n, const cl_uint *list,
    cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueCopyBufferToImage(r.queue, src_buffer, dst_image,
	    src_offset, dst_origin, region, 0, NULL, NULL));
}

cl_int
icd_clCommandCopyImageKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, cl_mem src_image, cl_mem dst_image,
    const size_t *src_origin, const size_t *dst_origin, const size_t *region,
    cl_uint n, const cl_uint *list, cl_uint *sync_point,
    command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueCopyImage(r.queue, src_image, dst_image, src_origin,
	    dst_origin, region, 0, NULL, NULL));
}

cl_int
icd_clCommandCopyImageToBufferKHR(buffer_handle buffer,
    cl_command_queue queue, const cl_ulong *properties, cl_mem src_image,
    cl_mem dst_buffer, const size_t *src_origin, const size_t *region,
    size_t dst_offset, cl_uint n, const cl_uint *list, cl_uint *sync_point,
    command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueCopyImageToBuffer(r.queue, src_image, dst_buffer,
	    src_origin, region, dst_offset, 0, NULL, NULL));
}

cl_int
icd_clCommandFillBufferKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, cl_mem mem, const void *pattern,
    size_t pattern_size, size_t offset, size_t size, cl_uint n,
    const cl_uint *list, cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueFillBuffer(r.queue, mem, pattern, pattern_size,
	    offset, size, 0, NULL, NULL));
}

cl_int
icd_clCommandFillImageKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, cl_mem image, const void *fill_color,
    const size_t *origin, const size_t *region, cl_uint n,
    const cl_uint *list, cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueFillImage(r.queue, image, fill_color, origin,
	    region, 0, NULL, NULL));
}

/* A copy from or to the program's own memory would need the program. */
static cl_int
copy_svm(const struct recording *r, void *dst, const void *src, size_t size)
{
	if ((dst != NULL && svm_find(dst) == NULL) ||
	    (src != NULL && svm_find(src) == NULL))
		return CL_INVALID_VALUE;
	return icd_clEnqueueSVMMemcpy(r->queue, CL_FALSE, dst, src, size, 0,
	    NULL, NULL);
}

cl_int
icd_clCommandSVMMemcpyKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, void *dst_ptr, const void *src_ptr,
    size_t size, cl_uint n, const cl_uint *list, cl_uint *sync_point,
    command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    copy_svm(&r, dst_ptr, src_ptr, size));
}

cl_int
icd_clCommandSVMMemFillKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, void *svm_ptr, const void *pattern,
    size_t pattern_size, size_t size, cl_uint n, const cl_uint *list,
    cl_uint *sync_point, command_handle *handle)
{
	struct recording r;
	cl_int code = record_open(&r, buffer, queue, properties, n, list,
	    handle);

	return code != CL_SUCCESS ? code : record_close(&r, sync_point,
	    icd_clEnqueueSVMMemFill(r.queue, svm_ptr, pattern, pattern_size,
	    size, 0, NULL, NULL));
}

cl_int
icd_clCommandNDRangeKernelKHR(buffer_handle buffer, cl_command_queue queue,
    const cl_ulong *properties, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    const size_t *local_work_size, cl_uint n, const cl_uint *list,
    cl_uint *sync_point, command_handle *handle)
{
	const struct range range = { work_dim, global_work_offset,
		global_work_size, local_work_size };
	struct mutable_command *m = NULL;
	struct recording r;
	cl_int code = record_begin(&r, buffer, queue, n, list);

	if (code != CL_SUCCESS)
		return code;
	code = record_close(&r, sync_point, mutable_record(r.buffer,
	    properties, kernel, &range, &m));
	if (code == CL_SUCCESS && handle != NULL)
		*handle = (command_handle)(void *)m;
	return code;
}
