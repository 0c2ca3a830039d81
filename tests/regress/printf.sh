#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What kernels print appears on the program's standard output before the wait
# that covers it returns.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires "$scenario"

through_vgpu "$scenario" prints 20 >out || fail "exit status $?"
[ "$(wc -l <out)" = 60 ] || fail "$(wc -l <out) lines, expected 60"
# Work-items of one launch print in any order.
awk '
/^kernel [01] of launch / { seen[$5]++; next }
/^finished / { if (seen[$2] != 2) { print "late: " $0; exit 1 } next }
{ print "unexpected: " $0; exit 1 }' out || fail "wrong order"
