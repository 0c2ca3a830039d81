#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The example computes right through vgpu, and tools/try finds its time.
. "$(dirname "$0")/lib.sh"

nbody=$top_builddir/examples/nbody
requires "$nbody"
through_vgpu "$nbody" 500 20 >out || fail "nbody: exit status $?"
grep -qx 'platform  vGPU' out || fail "not on vgpu: $(cat out)"
grep -qx 'result    500 bodies, 20 steps: right' out || fail "$(cat out)"
grep -qE '^time      [0-9.]+ s$' out || fail "$(cat out)"
