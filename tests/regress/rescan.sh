#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Devices that come and go while the daemon runs.
. "$(dirname "$0")/lib.sh"
fakecl=$top_builddir/tests/fakecl/.libs/libfakecl.so
first=$top_builddir/tests/regress/first-device
vgpuctl=$top_builddir/vgpuctl/vgpuctl
requires "$fakecl" "$first" "$vgpuctl"

public_folder
vendors=$public/vendors
mkdir "$vendors"
chmod 755 "$vendors"
# vendor NAME SCRIPT
vendor() {
	cp "$fakecl" "$public/lib$1.so"
	echo "$2" >"$public/lib$1.fakecl"
	chmod 755 "$public/lib$1.so" "$public/lib$1.fakecl"
	echo "$public/lib$1.so" >"$vendors/$1.icd"
	chmod 644 "$vendors/$1.icd"
}
vendor middle 'devices 2 gpu units 10 mhz 1000 memory 512; model Card'

cat >conf <<END
listen = "vgpu+unix:$public/hostd.sock"
control = "$tmp/control"
state-dir = "$public/state"
vendors = "$vendors"
log-level = debug
tenant-default { users = "*" }
END
background "$vgpu_hostd" -f conf 2>log
hostd=$!
wait_until 60 grep -q ': ready ' log
export VGPU_CONTROL="$tmp/control" VGPU_HOST="vgpu+unix:$public/hostd.sock"
cat >vgpu.icd <<END
$vgpu_icd
END
export OCL_ICD_VENDORS="$tmp"

# says PATTERN ARGUMENT...: vgpuctl's output has such a line.
says() {
	pattern=$1
	shift
	"$vgpuctl" "$@" >out 2>err || fail "$*: exit status $?: $(cat err)"
	grep -qE "$pattern" out || fail "$*: no \"$pattern\": $(cat out)"
}
# run NAME: first-device, in the background, with its context until "go".
run() {
	background "$first" "$tmp/go" >"$1"
	wait_until 60 grep -q . "$1"
}
# ran NAME WORDS: its device was this.
ran() {
	[ "$(cat "$1")" = "$2" ] || fail "$1: $(cat "$1"), expected $2"
}
# devices COUNT: the daemon comes to know that many.
devices() {
	wait_until 60 sh -c "'$vgpuctl' status | grep -q '^devices  *$1\$'"
}

# A vendor that is found before the other changes no device's number, so what is
# in use stays so, and the next program gets the other card.
run one
ran one 'Card 0'
vendor before 'devices 1 gpu units 5 mhz 1000; model Slow'
"$vgpuctl" reload || fail "reload: exit status $?"
devices 3
says '^0 +middle .* 1 +Card$' devices
says '^1 +middle .* - +Card$' devices
says '^2 +before .* - +Slow$' devices
says '^1 .* 0$' sessions
run two
ran two 'Card 1'
says '^2 .* 1$' sessions

# One that has gone is still what its sessions have; come back, it is the same.
mv "$vendors/middle.icd" middle.away
kill -HUP $hostd
devices 1
says '^1 .* 0$' sessions
run three
ran three 'Slow 0'
mv middle.away "$vendors/middle.icd"
"$vgpuctl" reload || fail "reload: exit status $?"
devices 3
says '^0 +middle .* 1 +Card$' devices
says '^1 +middle .* 2 +Card$' devices
says '^2 +before .* 3 +Slow$' devices

: >go
wait_until 60 sh -c "! '$vgpuctl' sessions | grep -q uid-"
gone $hostd && fail "the daemon has ended: $(tail -n 3 log)"
kill -TERM $hostd
wait_until 20 gone $hostd
