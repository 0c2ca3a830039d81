#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Contexts that move by themselves: from a crowded device to an idle one, and
# from one that has left the pool; and what happens when a session dies of it.
. "$(dirname "$0")/lib.sh"
. "$here/daemon.sh"
worker=$top_builddir/tests/regress/worker
requires "$worker"

vendor alpha 'devices 2 gpu; model Card'
start_daemon 'rebalance = 1'

# work NAME: a worker in the background; its lines go to NAME.
work() {
	background "$worker" "$tmp/go" >"$1"
	wait_until 60 grep -q . "$1"
}
# ended: all workers end, and well.
ended() {
	: >go
	for pid in "$@"; do
		wait "$pid" || fail "a worker: exit status $?"
	done
	rm go
}

# Two that had to share a device get one each, and then stay where they are.
work a
a=$!
work b
b=$!
[ "$(cat a b | sort | tr '\n' ' ')" = '0 1 ' ] || fail "not spread: $(cat a b)"
"$vgpuctl" drain 1 >/dev/null
wait_until 60 sh -c '[ "$(cat a b | wc -l)" = 3 ]'
"$vgpuctl" undrain 1
wait_until 60 sh -c '[ "$(cat a b | wc -l)" = 4 ]'
[ "$(cat a b | sort | tr '\n' ' ')" = '0 0 1 1 ' ] ||
    fail "moved: $(cat a b)"
"$vgpuctl" explain 1 >out
"$vgpuctl" explain 2 >>out
grep -q '^device 0 (Card) a context has left: others have less to do: moved to' \
    out || fail "no reason: $(cat out)"
ended $a $b
[ "$(cat a b | wc -l)" = 4 ] || fail "to and fro: $(cat a b)"

# A device that leaves the pool is left, where it still answers.
work a
a=$!
from=$(cat a)
cat >"$public/libalpha.fakecl" <<'END'
devices 1 gpu; model Card
END
# Of two the second one leaves; so the worker has to be there first.
if [ "$from" = 0 ]; then
	"$vgpuctl" drain 0 >/dev/null
	wait_until 60 grep -q 1 a
	"$vgpuctl" undrain 0
fi
lines=$(wc -l <a)
export lines
"$vgpuctl" rescan
wait_until 60 sh -c '[ "$(wc -l <a)" -gt "$lines" ]'
[ "$(tail -n 1 a)" = 0 ] || fail "not on the one that is left: $(cat a)"
grep -q 'moved to device 0' log || fail "the log has no move"
ended $a

# A session that is killed while it moves takes nobody along.
vendor alpha 'devices 2 gpu; model Card; hang clCreateBuffer after 1'
"$vgpuctl" reload
ready_again 2
work a
a=$!
work b
b=$!
where=$(cat a)
[ "$where" != "$(cat b)" ] || fail "both on device $where"
"$vgpuctl" sessions | awk -v where="$where" '$5 == where { print $1, $3 }' >out
read -r session process <out
"$vgpuctl" drain "$where" >/dev/null
# It hangs in the vendor, and so counts on both.
wait_until 60 sh -c "'$vgpuctl' sessions | grep -q '^$session .* 0,1\$'"
kill -KILL "$process"
wait_until 60 grep -q "session $session ended: killed" log
gone $hostd && fail "the daemon has ended: $(tail -n 3 log)"
wait_until 60 sh -c "! '$vgpuctl' sessions | grep -q '^$session '"
[ "$("$vgpuctl" sessions | wc -l)" = 2 ] || fail "$("$vgpuctl" sessions)"
: >go
wait $a && fail "the killed session's worker is content"
wait $b || fail "the other worker: exit status $?"
end_daemon
