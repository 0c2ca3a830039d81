#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Devices that come and go while the daemon runs.
. "$(dirname "$0")/lib.sh"
. "$here/daemon.sh"
first=$top_builddir/tests/regress/first-device
requires ps "$first"

vendor middle 'devices 2 gpu units 10 mhz 1000 memory 512; model Card'
start_daemon 'log-level = debug'

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
says '^device 0 \(Card, gone\) shown first: ' explain 1
run three
ran three 'Slow 0'
mv middle.away "$vendors/middle.icd"
"$vgpuctl" reload || fail "reload: exit status $?"
devices 3
says '^0 +middle .* 1 +Card$' devices
says '^1 +middle .* 2 +Card$' devices
says '^2 +before .* 3 +Slow$' devices

# looks COUNT: that many rescans have ended, and found nothing new.
looks() {
	wait_until 60 sh -c "[ \$(grep -c 'rescan: the same devices' log) -ge $1 ]"
}
# waiting: the processes of the daemon's that are no sessions.
waiting() {
	ps -o pid= --ppid $hostd | sort >out
	"$vgpuctl" sessions | awk 'NR > 1 { print $3 }' >used
	grep -vwF -f used out || :
}
warm() {
	[ "$(waiting | wc -l)" = 2 ]
}

# A rescan that finds nothing new leaves those who wait for clients alone, also
# where a vendor without devices has come.
wait_until 60 warm
before=$(waiting)
"$vgpuctl" rescan || fail "rescan: exit status $?"
looks 1
vendor none 'no-devices'
"$vgpuctl" rescan || fail "rescan: exit status $?"
looks 2
says '^vendor none .* not used: ' devices
[ "$(waiting)" = "$before" ] || fail "$before have become $(waiting)"

# Devices come and go with the timer, whatever runs; a running program goes on.
rm "$vendors/none.icd"
echo 'rescan = 1' >>conf
"$vgpuctl" reload || fail "reload: exit status $?"
ready_again 4
vendor after 'devices 1 gpu units 1000 mhz 1000; model Best'
devices 4
run four
ran four 'Best 0'
rm "$vendors/after.icd"
devices 3
says '^4 .* 3$' sessions
run five
[ "$(cat five)" != 'Best 0' ] || fail "a device that has gone: $(cat five)"
rm "$vendors"/*.icd
devices 0
expect_status 1 "$first" 2>err
says '^1 .* 0$' sessions
vendor after 'devices 1 gpu units 1000 mhz 1000; model Best'
devices 1
says '^3 +after .* 4 +Best$' devices

: >go
no_sessions
end_daemon
