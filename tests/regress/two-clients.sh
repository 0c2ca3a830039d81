#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Two clients of one daemon at once, each with its own objects.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires "$scenario"
export scenario

through_vgpu sh -c '
	"$scenario" launches 1000 >one & first=$!
	"$scenario" launches 2000 >two & second=$!
	wait $first && wait $second' || fail "exit status $?"
[ "$(cat one)" = "sum 500500" ] || fail "first: $(cat one)"
[ "$(cat two)" = "sum 2001000" ] || fail "second: $(cat two)"
