#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A device of which its vendor says that it is not available is looked for, without
# anybody asking: where it has gone, what ran there goes on elsewhere; and who
# says so of one that is there does not keep the daemon busy.
. "$(dirname "$0")/lib.sh"
fakecl=$top_builddir/tests/fakecl/.libs/libfakecl.so
worker=$top_builddir/tests/regress/worker
vgpuctl=$top_builddir/vgpuctl/vgpuctl
requires "$fakecl" "$worker" "$vgpuctl"

public_folder
vendors=$public/vendors
mkdir "$vendors"
chmod 755 "$vendors"
cards='devices 2 gpu; model Card'
fakecl_vendor alpha "$cards; unarmed; fail clEnqueueNDRangeKernel -2" \
    "$vendors"

cat >conf <<END
listen = "vgpu+unix:$public/hostd.sock"
control = "$tmp/control"
state-dir = "$public/state"
vendors = "$vendors"
log-level = debug
tenant-default { users = "*" }
END
background "$vgpu_hostd" -f conf 2>log
wait_until 60 grep -q ': ready ' log
export VGPU_CONTROL="$tmp/control" VGPU_HOST="vgpu+unix:$public/hostd.sock"
cat >vgpu.icd <<END
$vgpu_icd
END
export OCL_ICD_VENDORS="$tmp"

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
fakecl_vendor alpha "$cards; unarmed; fail clEnqueueNDRangeKernel -2 times 999999" \
    "$vendors"
"$vgpuctl" reload
wait_until 60 sh -c '[ "$(grep -c ": ready " log)" = 2 ]'
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
