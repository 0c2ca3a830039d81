#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Devices of two vendors side by side, the CPU before the simulator, and one
# context over both.
. "$(dirname "$0")/lib.sh"
program=$top_builddir/tests/regress/side-by-side
oclgrind=/usr/lib/oclgrind/liboclgrind-rt-icd.so
requires "$program" $oclgrind

pocl_only
echo $oclgrind >"$pocl/aaa-oclgrind.icd"
through_vgpu "$program" >out || fail "exit status $?: $(cat out)"
sed -n '1s/^device .*: 17$/first/p; 2s/^device Oclgrind.*: 17$/second/p' \
    out >order
[ "$(tr '\n' ' ' <order)" = "first second " ] || fail "$(cat out)"
grep -qx 'all: 18' out || fail "not one context: $(cat out)"
