#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Through vgpu every call does in every case what the specification says, on
# each vendor's devices that are there.  What vendors do by themselves is the
# business of conformance/run.
. "$(dirname "$0")/lib.sh"
calls=$top_builddir/conformance/calls/calls
requires "$calls"

# all_ok NAME VENDORS CASES [CALL...]: at least so many cases, all as they
# have to be.
all_ok() {
	name=$1 vendors=$2 least=$3 status=0
	shift 3
	"$vgpu_run" --vendors "$vendors" -- "$calls" "$@" >"$name" ||
	    status=$?
	grep '^not ok' "$name" >&2 || :
	[ $status = 0 ] ||
	    fail "$name: exit status $status: $(tail -n 1 "$name")"
	[ "$(grep -c '^ok' "$name")" -ge "$least" ] ||
	    fail "$name: only $(tail -n 1 "$name")"
}

pocl_only
all_ok pocl "$pocl" 3500
[ ! -e "$intel_vendors/intel.icd" ] || all_ok intel "$intel_vendors" 4000

# A simulator waits in its clFlush, so not everything may be flushed; what has
# nothing to wait for has to.
if [ -e $system_vendors/oclgrind.icd ]; then
	mkdir oclgrind.vendors
	cp $system_vendors/oclgrind.icd oclgrind.vendors/
	all_ok oclgrind "$tmp/oclgrind.vendors" 10 clFinish clFlush \
	    clReleaseCommandQueue
fi
