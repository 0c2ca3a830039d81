#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A program that computes on and on with one context does not notice that it is
# moved from one device to another and back.
. "$(dirname "$0")/lib.sh"
moved=$top_builddir/tests/regress/moved
vgpuctl=$top_builddir/vgpuctl/vgpuctl
requires "$moved" "$vgpuctl"

# Two devices that differ in nothing but their number.
pocl_only
export POCL_DEVICES='pthread pthread'

# In vgpu-run: move a session's context away from where it is, N times.
cat >mover <<'END'
set -eu
go=$1 n=$2
"$moved" "$go" 20 >"$go.out" 2>&1 &
on() {
	"$vgpuctl" --json sessions |
	    sed -n 's/^ *"device": \([0-9]*\).*/\1/p'
}
waits=0
until grep -q . "$go.out"; do
	sleep 0.05
	waits=$((waits + 1))
	[ $waits -lt 1200 ] || exit 3
done
while [ "$n" -gt 0 ]; do
	from=$(on)
	"$vgpuctl" drain "$from"
	waits=0
	while [ "$(on)" = "$from" ]; do
		sleep 0.02
		waits=$((waits + 1))
		[ $waits -lt 3000 ] || exit 4
	done
	"$vgpuctl" undrain "$from"
	n=$((n - 1))
done
"$vgpuctl" explain 1 >"$go.explained"
rm "$go"
wait
END
export moved vgpuctl

# moves TRANSPORT: ten moves, and what is said of them.
moves() {
	: >go
	timeout -k 10 300 "$vgpu_run" -t "$1" --vendors "$pocl" sh mover \
	    "$tmp/go" 10 >out 2>&1 || fail "$1: exit status $?: $(cat out go.out)"
	grep -q ' rounds are right$' go.out || fail "$1: $(cat go.out)"
	[ "$(grep -c ' a context has left: the device is drained: moved to ' \
	    go.explained)" -ge 7 ] || fail "$1: $(cat go.explained)"
}
moves tls
moves local
