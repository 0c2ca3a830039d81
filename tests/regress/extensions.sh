#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What only some vendors have is as natively: unified shared memory, queues on
# the device, pipes; and so is every answer to a query.
. "$(dirname "$0")/lib.sh"
conformance=$top_builddir/conformance
requires "$fakecl" "$conformance/usm" "$conformance/ondevice" \
    "$conformance/queries" "$intel_vendors/intel.icd"

# compare NAME MIN TRANSPORT: its lines, at least so many, with Intel's runtime
compare() {
	OCL_ICD_VENDORS=$intel_vendors OPENCL_VENDOR_PATH=$intel_vendors \
	    "$conformance/$1" >native || fail "$1: exit status $? natively"
	"$vgpu_run" -t "$3" --vendors "$intel_vendors" -- "$conformance/$1" \
	    >vgpu || fail "$1: exit status $? ($3)"
	diff -u native vgpu || fail "$1: not as natively ($3)"
	[ "$(wc -l <vgpu)" -ge "$2" ] || fail "$1: only $(wc -l <vgpu) lines"
}

compare usm 95 tls
compare usm 95 local
compare ondevice 26 tls

# Content of device allocations does not pass through the client, so it can't
# be the program's side of a buffer's command; that is refused, not wrong.
"$vgpu_run" -t tls --vendors "$intel_vendors" -- "$conformance/usm" buffers \
    >vgpu || fail "usm buffers: exit status $?"
[ "$(grep -c 'device allocation: -59$' vgpu)" = 2 ] &&
    [ "$(grep -c 'host allocation: 0$' vgpu)" = 2 ] ||
    fail "buffers and device allocations: $(cat vgpu)"

# PoCL has none of it, and says so.
same usm "$conformance/usm"
same ondevice "$conformance/ondevice"

# Without the version of the driver's mark, and what vgpu carries out itself:
# command buffers and semaphores have tests of their own.
own() {
	sed -E '/^platform /d
		/^device 0x102d /s/ vGPU-[0-9a-f]{8}/ vGPU-HASH/
		/ cl_khr_command_buffer/d; /^device 0x1(29a|2a9|2aa|2ab|2ac|2b0) /d
		/ cl_khr_semaphore/d; /^device 0x20(4c|4d|4e) /d'
}

# queries MIN VENDORS: everything that can be asked
queries() {
	OCL_ICD_VENDORS=$2 OPENCL_VENDOR_PATH=$2 "$conformance/queries" \
	    >native || fail "queries: exit status $? natively"
	"$vgpu_run" -t tls --vendors "$2" -- "$conformance/queries" >vgpu ||
	    fail "queries: exit status $?"
	sed -E -f "$top_srcdir/conformance/queries.sed" native | own >expected
	own <vgpu >got
	diff -u expected got || fail "queries: not as natively"
	[ "$(wc -l <got)" -ge "$1" ] || fail "only $(wc -l <got) answers"
}

queries 350 "$intel_vendors"
queries 220 "$pocl"

# Hints for queues go to a vendor that knows them, and to no other.
mkdir fake
echo "$fakecl" >fake/fake.icd
FAKECL='extension cl_khr_priority_hints; extension cl_khr_throttle_hints'
export FAKECL
"$vgpu_run" -t tls --vendors fake -- "$conformance/queries" hints >hints ||
    fail "hints: exit status $?"
for level in 1 2 4; do
	for hint in priority throttle; do
		grep -A 1 -x "queue with $hint $level: 0" hints |
		    grep -qx 'its list: the same, its end: 0' ||
		    fail "no $hint of $level: $(cat hints)"
	done
done
[ "$(grep -c ': -30$' hints)" = 12 ] || fail "other hints: $(cat hints)"
FAKECL='extension cl_khr_throttle_hints'
"$vgpu_run" -t tls --vendors fake -- "$conformance/queries" hints >hints ||
    fail "hints: exit status $?"
[ "$(grep -c '^queue with priority .*: -30$' hints)" = 9 ] ||
    fail "a hint that the device does not know: $(cat hints)"
