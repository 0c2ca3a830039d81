#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A simulator, Oclgrind, waits in its clFlush, so not everything may be
# flushed; what has nothing to wait for has to.
. "$(dirname "$0")/lib.sh"
calls=$top_builddir/conformance/calls/calls
oclgrind=/usr/lib/oclgrind/liboclgrind-rt-icd.so
requires "$calls" $oclgrind

mkdir vendors
echo $oclgrind >vendors/oclgrind.icd
"$vgpu_run" --vendors vendors -- "$calls" clFinish clFlush \
    clReleaseCommandQueue >out || fail "exit status $?: $(cat out)"
[ "$(grep -c '^ok' out)" -ge 10 ] || fail "only $(tail -n 1 out)"
