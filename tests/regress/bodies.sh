#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Bodies of all sizes and kinds arrive where they belong, whatever is under
# way beside them.
. "$(dirname "$0")/lib.sh"
bodies=$top_builddir/tests/regress/bodies
requires "$bodies"

for seed in 1 2 3; do
	through_vgpu "$bodies" $seed 120 >out 2>err ||
	    fail "seed $seed: $(cat out err)"
	[ "$(cat out)" = "120 steps" ] || fail "seed $seed: $(cat out)"
	through_vgpu "$bodies" $seed 120 out-of-order >out 2>err ||
	    fail "seed $seed, out of order: $(cat out err)"
done
