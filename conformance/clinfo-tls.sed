# SPDX-License-Identifier: ISC
#
# What else differs over a network; see clinfo.sed.

# Memory of client and host is not one memory.
/^CL_DEVICE_SVM_CAPABILITIES /s/ \| CL_DEVICE_SVM_FINE_GRAIN_BUFFER \| CL_DEVICE_SVM_ATOMICS$//
/^CL_DEVICE_(HOST|SINGLE_DEVICE_SHARED|CROSS_DEVICE_SHARED)_MEM_CAPABILITIES_INTEL /s/ \| CL_UNIFIED_SHARED_MEMORY_CONCURRENT_[A-Z_]+//g
