#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Through vgpu every call does in every case what the specification says, on
# each vendor's devices that are there.  What vendors do by themselves is the
# business of conformance/run.
. "$(dirname "$0")/lib.sh"
calls=$top_builddir/conformance/calls/calls
requires "$calls"

# all_ok NAME VENDORS
all_ok() {
	status=0
	"$vgpu_run" --vendors "$2" -- "$calls" >"$1" || status=$?
	grep '^not ok' "$1" >&2 || :
	[ $status = 0 ] || fail "$1: exit status $status: $(tail -n 1 "$1")"
	[ "$(grep -c '^ok' "$1")" -gt 500 ] || fail "$1: only $(tail -n 1 "$1")"
}

pocl_only
all_ok pocl "$pocl"
[ ! -e "$intel_vendors/intel.icd" ] || all_ok intel "$intel_vendors"
