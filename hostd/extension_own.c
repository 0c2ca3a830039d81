/* SPDX-License-Identifier: ISC */
#include "hostd/extension_own.h"

#include "protocol/khr.h"

/* A property of 8 bytes, or of 4, or 0. */
static uint64_t
number(const struct infoset *told, uint32_t param)
{
	return infoset_u64(told, param, infoset_u32(told, param, 0));
}

/*
 * Command buffers are replayed as commands in a queue, so they can do what
 * commands can, and each replay is independent of the others.
 */
static void
put_command_buffers(struct infoset *out, const struct infoset *told)
{
	uint64_t can = CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
	    CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR;
	uint64_t queues = number(told, CL_DEVICE_QUEUE_PROPERTIES);
	uint64_t mutable = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR |
	    CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
	    CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR |
	    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;

	if (number(told, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0)
		can |= CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR;
	if (number(told, CL_DEVICE_SVM_CAPABILITIES) != 0)
		mutable |= CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;
	infoset_put_u64(out, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, can);
	infoset_put_u64(out,
	    CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, 0);
	infoset_put_u64(out,
	    CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, queues &
	    (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
	    CL_QUEUE_PROFILING_ENABLE));
	infoset_put_u64(out, CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR,
	    mutable);
}

void
extension_own_put(struct infoset *out, const struct infoset *told)
{
	put_command_buffers(out, told);
	infoset_put_u32(out, CL_DEVICE_SEMAPHORE_TYPES_KHR,
	    CL_SEMAPHORE_TYPE_BINARY_KHR);
}
