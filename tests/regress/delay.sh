#!/bin/sh
# SPDX-License-Identifier: ISC
#
# conformance/delay: each message takes longer, nothing is lost or reordered,
# and the number of waits stays what it is without it.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
delay=$top_builddir/conformance/delay
requires "$scenario" "$delay" "$top_builddir/conformance/contents"

# The handshake, hello, build, finish and read wait once each: there and back, 10
# times 100 ms.
before=$(date +%s%N)
VGPU_TRACE=stats through_vgpu "$delay" 100 "$scenario" launches 1000 >out \
    2>stats || fail "launches: exit status $?"
took=$((($(date +%s%N) - before) / 1000000))
[ "$(cat out)" = "sum 500500" ] || fail "launches: $(cat out)"
[ $took -ge 1000 ] || fail "launches took only $took ms"
grep -q 'stats waits 4 ' stats || fail "launches: $(cat stats)"

through_vgpu "$top_builddir/conformance/contents" >near
through_vgpu "$delay" 3 "$top_builddir/conformance/contents" >far
diff near far || fail "other contents"

# At a limited rate, what can be told shorter is, and arrives all the same.
VGPU_TRACE=stats through_vgpu "$delay" --rate 100 1 "$scenario" text 24 >out \
    2>stats || fail "a slow link: exit status $?"
[ "$(cat out)" = same ] || fail "a slow link: $(cat out)"
for way in sent received; do
	bytes=$(sed -n "s/^vgpu: stats.* bytes-$way \([0-9]*\).*/\1/p" stats)
	[ "$bytes" -lt $((16 << 20)) ] || fail "24 MiB of text: $bytes $way"
done
expect_status 2 "$delay" --rate 0 1 true 2>err

# It is not there: the command's status is its own.
expect_status 7 through_vgpu "$delay" 1 sh -c 'exit 7'
expect_status 127 through_vgpu "$delay" 1 "$tmp/no-such-command" 2>err
expect_status 143 through_vgpu "$delay" 1 sh -c 'kill -TERM $$'
expect_status 2 "$delay" often true 2>err
expect_status 125 "$delay" 5 true 2>err
