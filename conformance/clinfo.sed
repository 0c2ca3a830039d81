# SPDX-License-Identifier: ISC
#
# What clinfo prints natively on PoCL or Intel's library, made into what it
# prints through vgpu: every difference, with its reason; clinfo-tls.sed has
# those of the network.

# The platform is vgpu's, and holds the devices of all vendors.  Programs
# parse what follows the version, so PoCL's text stays.
s/^( *CL_PLATFORM_NAME) Portable Computing Language$/\1 vGPU/
s/^( *CL_PLATFORM_VENDOR) The pocl project$/\1 vgpu/
s/^( *CL_PLATFORM_ICD_SUFFIX_KHR) POCL$/\1 VGPU/
/^ *CL_PLATFORM_VERSION /s/$/ vGPU VERSION/

# PoCL's platform has functions of its own, and does not list what all of its
# devices have, though the specification demands that; the test looks for it.
/^ *CL_PLATFORM_EXTENSIONS/d

# Binaries that a program keeps under this name are not those of PoCL itself.
/^CL_DRIVER_VERSION /s/$/ vGPU-HASH/

# Nothing makes what malloc gives one memory of two processes.
/^CL_DEVICE_SVM_CAPABILITIES /s/ \| CL_DEVICE_SVM_FINE_GRAIN_SYSTEM//
/^CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL /s/ .*$/ /

# A native kernel is a function of the client, and the device is elsewhere.
/^CL_DEVICE_EXECUTION_CAPABILITIES /s/ \| CL_EXEC_NATIVE_KERNEL$//

# Kernels would run in the program's own thread.
/^CL_DEVICE_EXTENSIONS/s/ cl_intel_exec_by_local_thread(:0x[0-9a-f]+)?//

# Command buffers are vgpu's own, of a later version than PoCL's and Intel's.
/^CL_DEVICE_COMMAND_BUFFER_/s/ \| CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR//
/^CL_DEVICE_EXTENSIONS/s/ cl_khr_command_buffer(_mutable_dispatch)?(:0x[0-9a-f]+)?//g
# So are semaphores, which neither has.
/^CL_DEVICE_EXTENSIONS /s/ *$/ cl_khr_command_buffer cl_khr_command_buffer_mutable_dispatch cl_khr_semaphore/
/^CL_DEVICE_EXTENSIONS_WITH_VERSION /s/ *$/ cl_khr_command_buffer:0x9008 cl_khr_command_buffer_mutable_dispatch:0x9005 cl_khr_semaphore:0x400000/

/^CL_DEVICE_ENDIAN_LITTLE /a\
CL_DEVICE_SEMAPHORE_TYPES_KHR CL_SEMAPHORE_TYPE_BINARY_KHR
/^ *CL_PLATFORM_HOST_TIMER_RESOLUTION /a\
 CL_PLATFORM_SEMAPHORE_TYPES_KHR CL_SEMAPHORE_TYPE_BINARY_KHR

# It may change between two runs.
/^CL_DEVICE_MAX_CLOCK_FREQUENCY /d
