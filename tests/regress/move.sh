#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A program that computes on and on with one context does not notice that it is
# moved from one device to another and back.
. "$(dirname "$0")/lib.sh"
moved=$top_builddir/tests/regress/moved
requires "$moved" "$vgpuctl"

# Two devices that differ in nothing but their number.
pocl_only
export POCL_DEVICES='pthread pthread'

# In vgpu-run: move a session's context away from where it is, N times.
cat >mover <<'END'
set -eu
. "$here/moves.sh"
go=$1 n=$2 mode=$3
has_left() {
	[ "$(on)" != "$1" ]
}
"$moved" "$go" 20 "$mode" >"$go.out" 2>&1 &
until_so has_said "$go.out"
while [ "$n" -gt 0 ]; do
	from=$(on)
	"$vgpuctl" drain "$from"
	until_so has_left "$from"
	"$vgpuctl" undrain "$from"
	n=$((n - 1))
done
"$vgpuctl" explain 1 >"$go.explained"
rm "$go"
wait
END
# any word: why there is no platform, where there is none
VGPU_TRACE=why
export here moved vgpuctl VGPU_TRACE

# moves TRANSPORT OPTION...: ten moves, and what is said of them.
moves() {
	transport=$1
	shift
	: >go
	: >go.out
	timeout -k 10 300 "$vgpu_run" -t "$transport" --vendors "$pocl" "$@" \
	    sh mover "$tmp/go" 10 "$mode" >out 2>&1 ||
	    fail "$transport $*: exit status $?: $(cat out go.out)"
	grep -q ' rounds are right$' go.out || fail "$transport $*: $(cat go.out)"
	[ "$(grep -c ' a context has left: the device is drained: moved to ' \
	    go.explained)" -ge 7 ] || fail "$transport $*: $(cat go.explained)"
}
mode=all
moves tls
moves local

# What can't move stays, with the reason.
cat >stayer <<'END'
set -eu
. "$here/moves.sh"
go=$1 mode=$2 reason=$3
"$moved" "$go" 5 "$mode" >"$go.out" 2>&1 &
# A session that begins while a device is drained is not shown that.
until_so has_said "$go.out"
waits=0
until "$vgpuctl" drain 0 | grep -q "stays: .*$reason" ||
    "$vgpuctl" drain 1 | grep -q "stays: .*$reason"; do
	"$vgpuctl" undrain 0
	"$vgpuctl" undrain 1
	sleep 0.1
	waits=$((waits + 1))
	[ $waits -lt 300 ] || exit 3
done
"$vgpuctl" undrain 0
"$vgpuctl" undrain 1
rm "$go"
wait
END
# stays REASON MODE OPTION...
stays() {
	reason=$1 mode=$2
	shift 2
	: >go
	: >go.out
	timeout -k 10 120 "$vgpu_run" --vendors "$pocl" "$@" sh stayer \
	    "$tmp/go" "$mode" "$reason" >out 2>&1 ||
	    fail "$reason: exit status $?: $(cat out go.out)"
	grep -q ' rounds are right$' go.out || fail "$reason: $(cat go.out)"
}
stays 'shared virtual memory' svm
stays 'no other device could run it' plain --view physical

# With consent, to a device of another class; of another vendor where there is
# Intel's runtime.
cat >conf <<'END'
order = fixed
move-across = yes
tenant "vgpu-run" { devices = { "pocl", "*" } }
tenant-default { devices = { "pocl", "*" } }
END
mode=plain
moves tls -c conf --view physical
if [ -d "$intel_vendors" ]; then
	unset POCL_DEVICES
	cp "$intel_vendors"/*.icd "$pocl/"
	moves local -c conf
fi
