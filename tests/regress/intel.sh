#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Intel's CPU runtime: contents of memory objects as natively, and programs of
# every origin, whatever codes it has of its own.
. "$(dirname "$0")/lib.sh"
contents=$top_builddir/conformance/contents
programs=$top_builddir/conformance/programs
requires "$intel_vendors/intel.icd" "$contents" "$programs"

OCL_ICD_VENDORS=$intel_vendors OPENCL_VENDOR_PATH=$intel_vendors \
    "$contents" >native || fail "contents: exit status $? natively"
"$vgpu_run" --vendors "$intel_vendors" -- "$contents" >vgpu ||
    fail "contents: exit status $?"
diff -u native vgpu || fail "contents not as natively"
[ "$(wc -l <vgpu)" -gt 500 ] || fail "only $(wc -l <vgpu) lines"

"$vgpu_run" --vendors "$intel_vendors" -- "$programs" >out ||
    fail "programs: exit status $?: $(tail -n 3 out)"
grep -qx 'library: 0' out || fail "no library: $(cat out)"
