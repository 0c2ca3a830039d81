#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Many threads at once: nothing hangs, nothing is mixed up.
. "$(dirname "$0")/lib.sh"
threads=$top_builddir/tests/regress/threads
requires "$threads"

for round in 1 2 3 4 5; do
	through_vgpu timeout 60 "$threads" >out ||
	    fail "round $round: exit status $?: $(cat out)"
	[ "$(cat out)" = "wrong 0, called 480" ] || fail "$(cat out)"
done
