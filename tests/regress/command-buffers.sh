#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Command buffers do the same on PoCL and on Intel's runtime, where it also
# runs natively; and a replay is one message, whatever was recorded.
. "$(dirname "$0")/lib.sh"
program=$top_builddir/conformance/command_buffers
requires "$program"

# counter NAME FILE: one number of the line of statistics.
counter() {
	sed -n "s/^vgpu: stats.* $1 \([0-9]*\).*/\1/p" "$2"
}

count_replays() {
	VGPU_TRACE=stats through_vgpu "$program" messages "$1" >out 2>stats ||
	    fail "replays $1: exit status $?"
	[ "$(cat out)" = 'replays: 1 1 sum 992' ] ||
	    fail "replays $1: $(cat out)"
}

through_vgpu "$program" >vgpu || fail "exit status $?"
[ "$(wc -l <vgpu)" -gt 30 ] || fail "only $(wc -l <vgpu) lines"
count_replays 10
few=$(counter sent stats) few_bytes=$(counter bytes-sent stats)
few_answers=$(counter received stats)
count_replays 1000
[ "$(counter sent stats)" = $((few + 990)) ] ||
    fail "sent $(counter sent stats), expected $((few + 990))"
[ "$(counter received stats)" = "$few_answers" ] ||
    fail "received $(counter received stats), expected $few_answers"
# A header of two slots of 8 bytes; queue, command buffer, wait list, event.
[ "$(counter bytes-sent stats)" = $((few_bytes + 990 * 48)) ] ||
    fail "bytes-sent $(counter bytes-sent stats)"

requires "$intel_vendors/intel.icd"
"$vgpu_run" --vendors "$intel_vendors" -- "$program" >intel ||
    fail "Intel: exit status $?"
diff -u vgpu intel || fail "not the same on Intel's runtime"
OCL_ICD_VENDORS=$intel_vendors OPENCL_VENDOR_PATH=$intel_vendors \
    "$program" >native || fail "natively: exit status $?"
diff -u native vgpu || fail "not as natively"
