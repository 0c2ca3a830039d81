#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Fine-grained shared virtual memory of CPU devices, and unified shared memory
# that program and kernel use at once: over the local transport they are as
# natively, over a network they are not offered.
. "$(dirname "$0")/lib.sh"
fine=$top_builddir/tests/regress/fine-grained
requires "$fine"
pocl_only

expect_status 77 through_vgpu "$fine" >out
VGPU_TRANSPORT=local
same fine-grained "$fine"
[ $native_status = 0 ] || fail "exit status $native_status natively"
grep -q '^atomics 50 50$' fine-grained.vgpu || fail "$(cat fine-grained.vgpu)"

# No content travels: the steps move some gigabytes, and here are their bytes.
VGPU_TRACE=stats through_vgpu "$fine" >out 2>stats
bytes=$(sed -n 's/.* bytes-sent \([0-9]*\) bytes-received \([0-9]*\).*/\1 + \2/p' \
    stats)
[ -n "$bytes" ] || fail "$(cat stats)"
[ $(($bytes)) -lt 200000 ] || fail "$(($bytes)) bytes were moved"

# The same on Intel's runtime, where it is.
if [ -e "$intel_vendors" ]; then
	OCL_ICD_VENDORS=$intel_vendors OPENCL_VENDOR_PATH=$intel_vendors \
	    "$fine" >native || fail "Intel's, natively: $(cat native)"
	"$vgpu_run" -t local --vendors "$intel_vendors" "$fine" >vgpu ||
	    fail "Intel's: $(cat vgpu)"
	diff native vgpu || fail "Intel's: not as natively"
	grep -q '^unified 50 50$' vgpu || fail "Intel's: $(cat vgpu)"
fi
