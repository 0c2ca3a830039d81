/* SPDX-License-Identifier: ISC */
/*
 * khr - names of extensions that are younger than the oldest OpenCL headers
 * to build with, or that headers show only when asked for (beta).
 *
 * Structures are declared under names of our own, as theirs have changed.
 */
#ifndef VGPU_PROTOCOL_KHR_H
#define VGPU_PROTOCOL_KHR_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

/* ---- cl_khr_command_buffer 0.9.8 --------------------------------------- */

#ifndef CL_INVALID_COMMAND_BUFFER_KHR
#define CL_INVALID_COMMAND_BUFFER_KHR (-1138)
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR (-1139)
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR (-1140)
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif

/* ---- cl_khr_command_buffer_mutable_dispatch 0.9.5 ---------------------- */

#ifndef CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#endif
#ifndef CL_INVALID_MUTABLE_COMMAND_KHR
#define CL_INVALID_MUTABLE_COMMAND_KHR (-1141)
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif

/* ---- cl_khr_semaphore 1.0.0 -------------------------------------------- */

typedef struct _cl_semaphore_khr *cl_semaphore_khr;

#ifndef CL_INVALID_SEMAPHORE_KHR
#define CL_INVALID_SEMAPHORE_KHR (-1142)
#define CL_PLATFORM_SEMAPHORE_TYPES_KHR 0x2036
#define CL_SEMAPHORE_CONTEXT_KHR 0x2039
#define CL_SEMAPHORE_REFERENCE_COUNT_KHR 0x203A
#define CL_SEMAPHORE_PROPERTIES_KHR 0x203B
#define CL_SEMAPHORE_PAYLOAD_KHR 0x203C
#define CL_SEMAPHORE_TYPE_KHR 0x203D
#define CL_COMMAND_SEMAPHORE_WAIT_KHR 0x2042
#define CL_COMMAND_SEMAPHORE_SIGNAL_KHR 0x2043
#define CL_DEVICE_SEMAPHORE_TYPES_KHR 0x204C
#define CL_SEMAPHORE_TYPE_BINARY_KHR 1
#endif
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#endif

/* cl_command_buffer_update_type_khr of a struct khr_dispatch_config */
#define KHR_UPDATE_DISPATCH_CONFIG 0

/* cl_mutable_dispatch_arg_khr */
struct khr_arg {
	cl_uint index;
	size_t size;
	const void *value;
};

/* cl_mutable_dispatch_exec_info_khr */
struct khr_exec_info {
	cl_uint param;
	size_t size;
	const void *value;
};

/* cl_mutable_dispatch_config_khr since 0.9.2 */
struct khr_dispatch_config {
	struct _cl_mutable_command_khr *command;
	cl_uint num_args;
	cl_uint num_svm_args;
	cl_uint num_exec_infos;
	cl_uint work_dim;
	const struct khr_arg *args;
	const struct khr_arg *svm_args;
	const struct khr_exec_info *exec_infos;
	const size_t *global_work_offset;
	const size_t *global_work_size;
	const size_t *local_work_size;
};

#endif
