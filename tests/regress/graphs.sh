#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Random graphs of commands over devices of several vendors in one context end
# as if their commands had been done one after the other.
. "$(dirname "$0")/lib.sh"
program=$top_builddir/tests/regress/graphs
oclgrind=/usr/lib/oclgrind/liboclgrind-rt-icd.so
requires "$program" $oclgrind

pocl_only
echo $oclgrind >"$pocl/oclgrind.icd"
through_vgpu "$program" 1 100 >out || fail "exit status $?: $(cat out)"
grep -qx '2 devices, 4 queues' out || fail "not both: $(cat out)"
grep -qx '100 graphs are right' out || fail "$(cat out)"
