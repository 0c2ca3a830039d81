#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What a user of the host's own machine may send to its Unix socket: the daemon
# lives on, an honest client is not disturbed, new ones get in, and the log
# says in one line what was wrong.
. "$(dirname "$0")/lib.sh"
. "$here/attacks.sh"
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

begin_attacks me
# RUNNER runs it.
RUNNER=
attacker() {
	# shellcheck disable=SC2086
	timeout 60 $RUNNER "$hostile" "$socket" "$@"
}

attack '^closed$' 'user [0-9]+ process [0-9]+ dropped: .* HTTP request' . http
attack '^closed$' 'dropped: ' . random
attack '^closed$' 'dropped: silent' . four-bytes
attack '^closed$' 'ended: .* in time' . only-preamble
attack '^closed$' 'ended: .* during the handshake' . half-hello
attack '^closed$' 'join session 4711 dropped' . only-preamble 4711
welcoming strangers

for length in 0 15 17 4104 0x80000000 0xfffffff0; do
	attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' \
	    . early-length $length
done
for length in 0 15 0x20000008 0xffffffff; do
	attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' \
	    . late-length $length
done
attack '^closed$' 'tenant me begins' . cut-short
attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' . hello-twice
# 64 bytes of nothing are four frames of no length.
attack '^goodbye protocol: ' 'tenant me: ended: protocol: ' . descriptors
welcoming lengths

attack '^as it should be$' 'tenant me: ended: protocol: .*: no such place' \
    . arena
welcoming memory

attack '^closed$' "session $session tenant me: .*token" \
    . join-wrong-token "$session"
attack '^joined$' '' . join-as-another 1
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp "$hostile" "$public/hostile"
	chmod a+rx "$public/hostile"
	hostile=$public/hostile
	RUNNER='setpriv --reuid 4242 --regid 4242 --clear-groups'
	attack '^closed$' 'joins? session [0-9]* dropped: its client is another' \
	    . join-wrong-token "$session"
	RUNNER='setpriv --reuid 4343 --regid 4343 --clear-groups'
	attack '^refuse identity: ' 'user 4343 refused: identity' . handshake
	RUNNER=
fi
welcoming lanes

attack_garbage .
end_attacks
