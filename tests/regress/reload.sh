#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A reload that is asked for while vendors are asked already is not lost.  One of
# them hangs, so that this takes three seconds.
. "$(dirname "$0")/lib.sh"
. "$here/daemon.sh"

vendor quick 'devices 1 gpu; model Card'
start_daemon 'log-level = debug' 'probe-timeout = 3'
is() {
	wait_until 60 sh -c "'$vgpuctl' status | grep -q '^$1  *$2\$'"
}
# done_so_far READY: reloads that have ended, and the start.
done_so_far() {
	ready_again "$1"
	[ "$(grep -c ': ready ' log)" = "$1" ] || fail "more than $1: $(cat log)"
}

# Two that come meanwhile are one, which has the configuration as it is then.
vendor slow 'hang at probe'
"$vgpuctl" reload >out || fail "reload: exit status $?"
[ ! -s out ] || fail "nothing is in progress: $(cat out)"
echo 'placement = pack' >>conf
says '^another reload is in progress; this one begins when' reload
kill -HUP $hostd
is placement pack
done_so_far 3
[ "$(grep -c 'begins when the one in progress has ended' log)" = 2 ] ||
    fail "the log does not tell of both: $(cat log)"

# What is wrong then is refused then.
kill -HUP $hostd
wait_until 60 sh -c '[ "$(grep -c "asking vendors" log)" = 3 ]'
echo 'placement = nowhere' >>conf
says '^another reload' reload
wait_until 60 grep -q 'reload: refused' log
done_so_far 4
is placement pack
expect_status 1 "$vgpuctl" reload 2>err
grep -q '^vgpuctl: refused; the log says why$' err || fail "$(cat err)"

# A rescan goes on when a reload is refused, and is no reason to put one off.
rm "$vendors/quick.icd"
"$vgpuctl" rescan || fail "rescan: exit status $?"
expect_status 1 "$vgpuctl" rescan 2>err
grep -q '^vgpuctl: vendors are being asked already' err || fail "$(cat err)"
expect_status 1 "$vgpuctl" reload 2>err
grep -q '^vgpuctl: refused; ' err || fail "$(cat err)"
is devices 0
sed -i '/nowhere/d' conf
vendor quick 'devices 1 gpu; model Card'
"$vgpuctl" rescan || fail "rescan: exit status $?"
"$vgpuctl" reload >out || fail "reload: exit status $?"
[ ! -s out ] || fail "a rescan is not waited for: $(cat out)"
is devices 1
done_so_far 5
end_daemon
