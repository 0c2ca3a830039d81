#!/bin/sh
# SPDX-License-Identifier: ISC
#
# One context over devices of two vendors: images, failing, clocks, programs,
# kernels, command buffers.
. "$(dirname "$0")/lib.sh"
program=$top_builddir/tests/regress/mixed
programs=$top_builddir/tests/regress/mixed_programs
oclgrind=/usr/lib/oclgrind/liboclgrind-rt-icd.so
requires "$program" "$programs" $oclgrind

pocl_only
echo $oclgrind >"$pocl/oclgrind.icd"
through_vgpu "$program" >out || fail "exit status $?: $(cat out)"
grep -qx '2 devices' out || fail "not both: $(cat out)"
[ "$(grep -c ': right$' out)" -ge 8 ] || fail "$(cat out)"

through_vgpu "$programs" >out || fail "exit status $?: $(cat out)"
grep -qx '2 devices' out || fail "not both: $(cat out)"
[ "$(grep -c ': right$' out)" = 4 ] || fail "$(cat out)"
