#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A device of which its vendor says that it is not available is looked for, without
# anybody asking: where it has gone, what ran there goes on elsewhere; and who
# says so of one that is there does not keep the daemon busy.
. "$(dirname "$0")/lib.sh"
. "$here/daemon.sh"
worker=$top_builddir/tests/regress/worker
requires "$worker"

cards='devices 2 gpu; model Card'
vendor alpha "$cards; unarmed; fail clEnqueueNDRangeKernel -2"
start_daemon 'log-level = debug'

# The one that leaves is the second of two.
background "$worker" "$tmp/go" "$tmp/arm" >a
a=$!
wait_until 60 grep -q . a
if [ "$(cat a)" = 0 ]; then
	"$vgpuctl" drain 0 >/dev/null
	wait_until 60 grep -q 1 a
	"$vgpuctl" undrain 0
fi
echo 'devices 1 gpu; model Card' >"$public/libalpha.fakecl"
: >arm
wait_until 60 sh -c '[ "$(tail -n 1 a)" = 0 ]'
grep -q lost a || fail "nothing was lost: $(cat a)"
grep -q 'device 1 is not available, says its vendor' log ||
    fail "no reason to look: $(cat log)"
"$vgpuctl" explain 1 >out
grep -q '^device 1 .* a context has left: the device has left: moved to' out ||
    fail "no reason: $(cat out)"
: >go
wait $a || fail "the worker: exit status $?"
rm go arm

# One that is there is looked for once, however often it is said to be gone.
vendor alpha "$cards; unarmed; fail clEnqueueNDRangeKernel -2 times 999999"
"$vgpuctl" reload
ready_again 2
background "$worker" "$tmp/go" "$tmp/arm" >b
b=$!
wait_until 60 grep -q . b
: >arm
wait_until 60 grep -q 'rescan: the same devices' log
heard=$(grep -c 'is not available, says its vendor' log)
[ "$heard" = 2 ] || fail "not looked for once: $(cat log)"
lines=$(wc -l <b)
export lines
wait_until 60 sh -c '[ "$(wc -l <b)" -gt $((lines + 100)) ]'
: >go
wait $b || fail "the other worker: exit status $?"
[ "$(grep -c 'is not available, says its vendor' log)" = "$heard" ] ||
    fail "looked again and again: $(grep 'not available' log)"
end_daemon
