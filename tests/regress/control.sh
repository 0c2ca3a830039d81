#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What vgpuctl says of a daemon, and what the daemon makes of others who come to
# its control socket.
. "$(dirname "$0")/lib.sh"
. "$here/daemon.sh"
first=$top_builddir/tests/regress/first-device
requires socat "$first"

vendor alpha 'devices 2 gpu units 10 mhz 1000 memory 512; model Card'
vendor beta 'no-devices'

start_daemon 'log-level = debug'
[ "$(stat -c %a control)" = 600 ] || fail "others may ask: $(ls -l control)"
says '^DEVICE +VENDOR +TYPE +UNITS +MHZ +MIB +CARD +DRAINED +SESSIONS +NAME$' devices
says '^0 +alpha +gpu +10 +1000 +512 +0 +- +- +Card$' devices
says '^vendor beta .* not used: .*no device' devices
says '^sessions +0$' status
says '^devices +2$' status
says '^SESSION +TENANT' sessions
[ "$(wc -l <out)" = 1 ] || fail "sessions that are not there: $(cat out)"

# A session, with its decisions.
background "$first" "$tmp/go" 3 >ran
wait_until 60 grep -q Card ran
says '^1 +uid-[0-9]+ +[1-9][0-9]* +[0-9]+ +0x2,1$' sessions
says '^0 +alpha .* 1 +Card$' devices
says '^session 1 of tenant uid-.*, placement least-loaded, devices 0x2,1$' \
    explain 1
says '^device 0 \(Card\) shown first: least-loaded: found first' explain 1
says '^device 1 \(Card\) runs a context: .*different cards' explain 1
grep -q 'session 1 context on device 1: ' log || fail "the log has no reason"
says '"reason": "least-loaded: found first' --json explain 1
: >go
no_sessions

# A drained device gets nothing new, also after a reload; what is there leaves.
rm go
background "$first" "$tmp/go" 1 >ran
wait_until 60 grep -q Card ran
busy=$("$vgpuctl" sessions | awk 'NR == 2 { print $5 }')
session=$("$vgpuctl" sessions | awk 'NR == 2 { print $1 }')
says "^device $busy is drained; sessions there: [0-9]+\$" drain "$busy"
grep -q "device $busy is drained" log || fail "the log has no drain"
wait_until 60 sh -c "'$vgpuctl' devices | grep -q '^$busy .* yes  *-  *Card'"
says "^$((1 - busy)) +alpha .* - +$session +Card\$" devices
says "^device $busy \(Card\) a context has left: the device is drained: moved" \
    explain "$session"
kill -HUP $hostd
ready_again 2
says "^$busy +alpha .* yes +- +Card\$" devices
for _ in 1 2 3; do
	background "$first" go 2 >ran2
	other=$!
	wait_until 60 sh -c '[ "$(wc -l <ran2)" = 2 ]'
	says "^[0-9]+ .* $((1 - busy))x2\$" sessions
	kill $other
	wait $other || :
	wait_until 60 sh -c "! '$vgpuctl' sessions | grep -q x2"
done
"$vgpuctl" undrain "$busy" || fail "undrain: exit status $?"
"$vgpuctl" undrain "$busy" || fail "undrain again: exit status $?"
[ "$(grep -c "device $busy is used again" log)" = 1 ] ||
    fail "what was not drained is used again"
says "^$busy +alpha .* - +- +Card\$" devices
: >go
no_sessions

# A reload, and what is wrong.
echo 'placement = pack' >>conf
"$vgpuctl" reload || fail "reload: exit status $?"
wait_until 60 sh -c "'$vgpuctl' status | grep -q 'placement *pack'"

# Tenants that no device is for.
cat >>conf <<'END'
tenant "some" { devices = { "nosuch", "c?rd" } }
tenant "none" { devices = "nosuch" }
END
! grep 'will see no device' log || fail "a warning before there is a reason"
"$vgpuctl" reload || fail "reload: exit status $?"
wait_until 60 grep -q 'tenant none will see no device: its devices, "nosuch", match none of those here: alpha "Card"$' log
! grep 'tenant some will see no device' log || fail "a warning without reason"

echo 'placement = nowhere' >>conf
refused() {
	status=$1 pattern=$2
	shift 2
	expect_status "$status" "$vgpuctl" "$@" >out 2>err
	grep -q "^vgpuctl: $pattern" err || fail "$*: $(cat out err)"
}
refused 1 'refused; the log' reload
refused 1 'there is no such device; ' drain 2
refused 1 'there is no such device; ' undrain Card
refused 1 'there is no such device; ' drain 1x
refused 2 'expected a "device"' drain
refused 1 'there is no such session' explain 7
refused 1 'there is no such session' explain 1x
refused 2 'there is no command' dance
refused 2 'expected a "session"' explain
refused 2 'unexpected argument' devices 4
refused 1 '/nonexistent: .*is vgpu-hostd running' -s /nonexistent devices
says '^sessions +0$' status
"$vgpuctl" -h >out
[ "$(awk '$0 ~ /^  / { line = $0
    if (sub(/^  (--?[a-z]+|[a-z]+)( (socket|session|device))?  +/, "", line))
	print length($0) - length(line) }' out | sort -u)" = 19 ] ||
    fail "-h: columns: $(cat out)"
if [ "$(id -u)" = 0 ]; then
	cp "$vgpuctl" "$public/ctl"
	chmod 755 "$public/ctl"
	expect_status 1 setpriv --reuid 65534 --regid 65534 --clear-groups \
	    "$public/ctl" -s "$tmp/control" status 2>err
	grep -q 'Permission denied; .*"control-group"' err ||
	    fail "who may ask: $(cat err)"
fi

# Others: too long, with a NUL, without an end, and many that say nothing.
answer() {
	timeout 20 socat -t 20 - "UNIX-CONNECT:$tmp/control" 2>/dev/null || :
}
[ "$(echo dance | answer)" = '{"error":"no such request"}' ] || fail "dance"
[ -z "$(awk 'BEGIN { for (i = 0; i < 5000; i++) printf "x"; print "" }' |
    answer)" ] || fail "an answer to 5000 letters"
[ -z "$(printf 'status\000\n' | answer)" ] || fail "an answer to a NUL"
i=0
while [ $i -lt 40 ]; do
	background socat "UNIX-CONNECT:$tmp/control" "EXEC:sleep 60" 2>/dev/null
	i=$((i + 1))
done
wait_until 30 "$vgpuctl" status	# those who say nothing go after a while

# The file of the port is there as long as it is true.
sed -i /nowhere/d conf
echo "port-file = \"$tmp/nowhere/port\"" >>conf
before=$(grep -c ': ready ' log)
"$vgpuctl" reload || fail "reload: exit status $?"
wait_until 60 grep -q "port-file: cannot write $tmp/nowhere/port" log
[ "$(grep -c ': ready ' log)" = "$before" ] || fail "ready without port-file"
says '^sessions +0$' status
sed -i 's|/nowhere/port|/port|' conf
"$vgpuctl" reload || fail "reload: exit status $?"
wait_until 60 grep -qx 0 port

# A socket in a folder that is not there.
sed -i "s|^control = .*|control = \"$tmp/run/control\"|" conf
"$vgpuctl" reload || fail "reload: exit status $?"
wait_until 60 "$vgpuctl" -s "$tmp/run/control" status
end_daemon
[ ! -e port ] || fail "the file of the port is left over"
[ ! -e run/control ] || fail "the other socket is left over"
[ ! -e control ] || fail "the socket is left over"
