#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What a user of the host's own machine may send to its Unix socket: the daemon
# lives on, an honest client is not disturbed, new ones get in, and the log
# says in one line what was wrong.
. "$(dirname "$0")/lib.sh"
hostile=$top_builddir/tests/regress/hostile
scenario=$top_builddir/tests/regress/scenario
requires "$hostile" "$scenario" "$vgpu_hostd" "$vgpu_icd"
pocl_only

public_folder
socket=$public/s
cat >hostd.conf <<END
listen = "vgpu+unix:$socket"
port-file = "$tmp/port"
vendors = "$pocl"
state-dir = "$tmp/state"
session-user = "$(id -un)"
handshake-timeout = 2
tenant me { users = "$(id -u)" }
tenant other { users = "4242" }
END
background "$vgpu_hostd" -f "$tmp/hostd.conf" 2>hostd.log
hostd=$!
wait_until 30 test -s port

vgpu_alone
VGPU_HOST=vgpu+unix:$socket VGPU_TIMEOUT=20000
export VGPU_HOST VGPU_TIMEOUT

mkfifo line
"$scenario" steady <line >steady &
honest=$!
started="$started $honest"
exec 3>line
goes_on() {
	[ "$(wc -l <steady)" -gt "$1" ]
}
wait_until 60 goes_on 0
session=$(sed -n 's/.*session \([0-9]*\) tenant me begins.*/\1/p' hostd.log)
[ -n "$session" ] || fail "no session in the log: $(cat hostd.log)"

logged() {
	[ "$(tail -n +"$1" hostd.log | grep -cE "$2")" = 1 ]
}

# attack SAYS LOGS ATTACK [ARGUMENT...]: the client is told SAYS at the end, and
# the log gains one line with LOGS.  RUNNER runs it.
RUNNER=
attack() {
	says=$1 logs=$2
	shift 2
	before=$(($(wc -l <hostd.log) + 1))
	# shellcheck disable=SC2086
	timeout 60 $RUNNER "$hostile" "$socket" . "$@" >said ||
	    fail "$*: exit status $?: $(cat said)"
	grep -qE "$says" said || fail "$*: no \"$says\": $(cat said)"
	[ -z "$logs" ] || (wait_until 5 logged "$before" "$logs") ||
	    fail "$*: in the log: $(tail -n +"$before" hostd.log)"
	! gone "$hostd" || fail "$*: the daemon has ended"
	! gone "$honest" || fail "$*: the honest client: $(tail -n 2 steady)"
	wait_until 20 goes_on "$(wc -l <steady)"
}

welcoming() {
	"$scenario" launches 10 >new || fail "$*: a new client: $(cat new)"
	[ "$(cat new)" = 'sum 55' ] || fail "$*: a new client: $(cat new)"
}

attack '^closed$' 'user [0-9]+ process [0-9]+ dropped: .* HTTP request' http
attack '^closed$' 'dropped: ' random
attack '^closed$' 'dropped: silent' four-bytes
attack '^closed$' 'ended: .* in time' only-preamble
attack '^closed$' 'ended: .* during the handshake' half-hello
attack '^closed$' 'join session 4711 dropped' only-preamble 4711
welcoming strangers

for length in 0 15 17 4104 0x80000000 0xfffffff0; do
	attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' \
	    early-length $length
done
for length in 0 15 0x20000008 0xffffffff; do
	attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' \
	    late-length $length
done
attack '^closed$' 'tenant me begins' cut-short
attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' hello-twice
# 64 bytes of nothing are four frames of no length.
attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' descriptors
welcoming lengths

attack '^as it should be$' 'tenant me: ended: protocol: .*: no such place' \
    arena
welcoming memory

attack '^closed$' "session $session tenant me: .*token" \
    join-wrong-token "$session"
attack '^joined$' '' join-as-another 1
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp "$hostile" "$public/hostile"
	chmod a+rx "$public/hostile"
	hostile=$public/hostile
	RUNNER='setpriv --reuid 4242 --regid 4242 --clear-groups'
	attack '^closed$' 'joins? session [0-9]* dropped: its client is another' \
	    join-wrong-token "$session"
	RUNNER='setpriv --reuid 4343 --regid 4343 --clear-groups'
	attack '^refuse identity: ' 'user 4343 refused: identity' handshake
	RUNNER=
fi
welcoming lanes

for number in $("$hostile" "$socket" . numbers) 9999 65535; do
	timeout 60 "$hostile" "$socket" . garbage "$number" >said ||
	    fail "garbage $number: exit status $?: $(cat said)"
	grep -q '^closed$' said || fail "garbage $number: $(cat said)"
done
wait_until 20 goes_on "$(wc -l <steady)"
welcoming garbage

echo go >&3
wait "$honest" || fail "the honest client: exit status $?"
[ "$(tail -n 1 steady)" = 'steady to the end' ] || fail "$(tail -n 1 steady)"
kill -TERM "$hostd"
wait_until 5 gone "$hostd"
! grep -E 'signal|status [1-9]|runtime error|AddressSanitizer' hostd.log ||
    fail "sessions did not end in order"
