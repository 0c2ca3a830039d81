#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Vendors' libraries that crash or hang: where they are probed, the others are
# served as ever and the log says why; in a session, only that session ends.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires clinfo "$fakecl" "$scenario"

pocl_only
public_folder
cp "$fakecl" "$public/libfakecl.so"
chmod 755 "$public/libfakecl.so"
echo "$public/libfakecl.so" >"$pocl/fake.icd"
echo 'probe-timeout = 5' >conf

# play SCRIPT COMMAND...: through a host with PoCL and fakecl.
play() {
	FAKECL=$1
	export FAKECL
	shift
	"$vgpu_run" -v -c conf --vendors "$pocl" "$@" >out 2>log ||
	    fail "$FAKECL: exit status $?: $(cat log)"
}

# not_used REASON: PoCL alone is there, and the log has one line for fakecl.
not_used() {
	grep -q 'Device #0: ' out || fail "$FAKECL: no device"
	! grep -q Fake out || fail "$FAKECL: a vendor that does not work"
	grep -q "vendor fake .*not used: .*$1" log ||
	    fail "$FAKECL: no \"$1\": $(cat log)"
}

play 'devices 2 gpu; name Toy' clinfo -l
grep -q 'Device #0: Toy 0' out || fail "a GPU comes first: $(cat out)"
grep -q 'Device #1: Toy 1' out || fail "no second device: $(cat out)"
grep -q 'Device #2: ' out || fail "no PoCL beside it: $(cat out)"

play 'crash at probe' clinfo -l
not_used 'killed by signal 11'
play 'hang at probe' clinfo -l
not_used 'no answer within 5 s'
play 'no-devices' clinfo -l
not_used 'no device'
play 'fail clIcdGetPlatformIDsKHR -6' clinfo -l
not_used 'no platform'

# Its first device is the one that crashes when a kernel is launched.
play 'crash clEnqueueNDRangeKernel' sh -c "
    '$scenario' launches 10 || echo code \$?
    clinfo -l"
grep -q '^code 1$' out || fail "a crash is no success: $(cat out)"
grep -q 'Device #1: ' out || fail "a crash ended more than its session"
grep -q 'session 1 ended: killed by signal 11' log ||
    fail "the log does not tell of the crash: $(cat log)"

# Libraries that can't be in one process: each session gets one of them.
# second SCRIPT: one more vendor, which plays that.
second() {
	fakecl_vendor second "$1" "$pocl"
}
second 'here second; clash fake; name Second'
echo 'log-level = debug' >>conf
play 'here fake; clash second; name Toy' clinfo -l
grep -q "vendors fake and second can't share a process: .*signal 11" log ||
    fail "the clash is not told: $(cat log)"
! grep -q "vendors pocl and" log || fail "PoCL clashes with none: $(cat log)"
grep -q 'session 1 not offered device [0-9]*: no device of second is, as fake' \
    log || fail "what is left out is not told: $(cat log)"
grep -q 'Device #0: Toy 0' out || fail "the first is preferred: $(cat out)"
grep -q 'Device #1: ' out || fail "no PoCL beside it: $(cat out)"
! grep -q Second out || fail "two that exclude each other: $(cat out)"

echo 'prefer-vendors = "sec*"' >>conf
play 'here fake; clash second; name Toy' clinfo -l
grep -q 'Device #0: Second 0' out || fail "the preferred one: $(cat out)"
! grep -q Toy out || fail "two that exclude each other: $(cat out)"
echo 'tenant "vgpu-run" { devices = { "fake", "pocl" } }' >>conf
play 'here fake; clash second; name Toy' clinfo -l
grep -q 'Device #0: Toy 0' out || fail "what it may have: $(cat out)"

# One that hangs when it meets the other counts as one that can't: when alone it
# makes one context, and another one each time that a vendor joins it.
echo 'probe-timeout = 5' >conf
rm "$pocl/second.icd"
play 'hang clCreateContext after 1' clinfo -l
grep -q "vendors fake and pocl can't share a process: no answer within" log ||
    fail "a hang is not told: $(cat log)"

# One that can't make a context even alone is left out, and hides nobody; those
# that exclude each other are found out among the others.
context() {
	play "$1" clinfo -l
	not_used "no context$2"
	! grep -q "vendors fake and" log || fail "$1: in a pair: $(cat log)"
}
context 'fail clCreateContext -5 times 1000' ' (error -5)'
context 'crash clCreateContext' ': .*killed by signal 11'
context 'hang clCreateContext' ': no answer within 5 s'
! grep -q "can't share" log || fail "nobody excludes another: $(cat log)"
second 'here second; name Second'
fakecl_vendor third 'clash second; name Third' "$pocl"
context 'fail clCreateContext -5 times 1000' ' (error -5)'
grep -q "vendors second and third can't share a process: .*signal 11" log ||
    fail "the clash of others is not told: $(cat log)"
[ "$(grep -c "can't share" log)" = 1 ] || fail "others clash: $(cat log)"
grep -q 'Device #0: Second 0' out || fail "a healthy one: $(cat out)"
