#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What only some vendors have is as natively: unified shared memory, queues on
# the device, pipes.
. "$(dirname "$0")/lib.sh"
conformance=$top_builddir/conformance
requires "$conformance/usm" "$conformance/ondevice" \
    "$intel_vendors/intel.icd"

# compare NAME MIN: the program's lines, at least so many, with Intel's runtime
compare() {
	OCL_ICD_VENDORS=$intel_vendors OPENCL_VENDOR_PATH=$intel_vendors \
	    "$conformance/$1" >native || fail "$1: exit status $? natively"
	"$vgpu_run" --vendors "$intel_vendors" -- "$conformance/$1" >vgpu ||
	    fail "$1: exit status $?"
	diff -u native vgpu || fail "$1: not as natively"
	[ "$(wc -l <vgpu)" -ge "$2" ] || fail "$1: only $(wc -l <vgpu) lines"
}

compare usm 95
compare ondevice 25

# PoCL has none of it, and says so.
same usm "$conformance/usm"
same ondevice "$conformance/ondevice"
