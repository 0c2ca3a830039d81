#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The transport "local": what holds over TLS holds over a Unix socket, without
# certificates; who may connect, and what becomes of the socket.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires clinfo "$scenario" "$vgpu_hostd" "$vgpu_icd"
pocl_only

# --- tests that are about something else -------------------------------------

for name in clinfo counters example killed printf threads two-clients; do
	status=0
	VGPU_TRANSPORT=local top_builddir=$top_builddir TMPDIR=$tmp \
	    sh "$here/$name.sh" >"$name.out" 2>&1 || status=$?
	[ $status = 0 ] || [ $status = 77 ] || {
		cat "$name.out"
		fail "$name.sh: exit status $status"
	}
done

contents=$top_builddir/conformance/contents
requires "$contents"
VGPU_TRANSPORT=local
same contents "$contents"
unset VGPU_TRANSPORT
[ $native_status = 0 ] || fail "contents: exit status $native_status natively"

# It is this transport, and nothing listens on the network.
through_local() {
	"$vgpu_run" -t local --vendors "$pocl" -- "$@"
}
through_local sh -c 'echo "$VGPU_HOST"; ls "$(dirname "$VGPU_CA")"' >out
grep -q '^vgpu+unix:/.*/hostd\.sock$' out || fail "VGPU_HOST: $(cat out)"
! grep -q '\.pem$' out || fail "certificates: $(cat out)"
# In a folder whose name leaves no room for a socket's, another is taken.
deep=$tmp/a-very-long-name-of-a-folder-that-leaves-no-room-for-a-socket-in-it
mkdir -p "$deep"
(
	TMPDIR=$deep XDG_RUNTIME_DIR=$deep
	through_local "$scenario" launches 10 >out
	[ "$(cat out)" = 'sum 55' ] || fail "long TMPDIR: $(cat out)"
)

# --- a daemon for several users ----------------------------------------------

# Others reach the socket; the folder of the test is closed to them.
public_folder
socket=$public/hostd.sock
cp "$vgpu_icd" "$public/libvgpu-icd.so"
mkdir "$public/loader"
echo "$public/libvgpu-icd.so" >"$public/loader/vgpu.icd"
chmod -R a+rX "$public"
OCL_ICD_VENDORS=$public/loader OPENCL_VENDOR_PATH=$public/loader
VGPU_HOST=vgpu+unix:$socket VGPU_TIMEOUT=20000
export OCL_ICD_VENDORS OPENCL_VENDOR_PATH VGPU_HOST VGPU_TIMEOUT

# start WORDS...: a daemon with these lines.
start() {
	cat >hostd.conf <<END
listen = "vgpu+unix:$socket"
port-file = "$tmp/port"
vendors = "$pocl"
state-dir = "$tmp/state"
session-user = "$(id -un)"
END
	printf '%s\n' "$@" >>hostd.conf
	rm -f port
	background "$vgpu_hostd" -f "$tmp/hostd.conf" 2>hostd.log
	hostd=$!
	wait_until 30 test -s port
}

stop() {
	kill -TERM "$hostd"
	wait_until 5 gone "$hostd"
}

# says PATTERN COMMAND...: why there is no platform.
says() {
	pattern=$1
	shift
	VGPU_TRACE=stats "$@" clinfo -l >out 2>err || :
	grep -q "^vgpu: no platform: $pattern" err ||
	    fail "no \"$pattern\": $(cat out err)"
}

sums() {
	"$@" "$scenario" launches 10 >out || fail "$*: $(cat out hostd.log)"
	[ "$(cat out)" = 'sum 55' ] || fail "$*: $(cat out)"
}

says "cannot connect to $socket: there is no such socket" env
start "tenant me { users = \"$(id -u)\" }"
[ "$(cat port)" = 0 ] || fail "port $(cat port)"
[ "$(stat -c %a "$socket")" = 666 ] || fail "mode $(stat -c %a "$socket")"
sums env
grep -q 'session 1 tenant me begins' hostd.log || fail "$(cat hostd.log)"
# A second one does not take its socket.
expect_status 1 "$vgpu_hostd" -f "$tmp/hostd.conf" 2>second
grep -q 'cannot listen on .*another daemon listens there' second ||
    fail "$(cat second)"
sums env
stop
[ ! -e "$socket" ] || fail "its socket stays"

# One that was killed leaves its socket; the next replaces it.
start 'socket-mode = 0600' 'tenant-default { users = "*" }'
kill -KILL "$hostd"
wait_until 5 gone "$hostd"
[ -S "$socket" ] || fail "where is the socket?"
says "cannot connect to $socket: nobody listens there" env
start 'socket-mode = 0600' 'tenant-default { users = "*" }'
[ "$(stat -c %a "$socket")" = 600 ] || fail "mode $(stat -c %a "$socket")"
sums env
grep -q "tenant uid-$(id -u) begins" hostd.log || fail "$(cat hostd.log)"

# A reload keeps the socket and the sessions that there are.
mkfifo line
exec 3<>line
"$scenario" hold <line >hold &
holder=$!
started="$started $holder"
wait_until 60 grep -q ready hold
kill -HUP "$hostd"
reloaded() {
	[ "$(grep -c ': ready ' hostd.log)" = 2 ]
}
wait_until 30 reloaded
sums env
echo go >&3
wait_until 10 gone "$holder"
grep -q '^sum 55$' hold || fail "a session over a reload: $(cat hold)"
stop
[ ! -e "$socket" ] || fail "its socket stays after a reload"

# A user who is nobody's is refused, on both sides with the reason.
start 'tenant me { users = "4242" groups = "4343" }'
says "the host refused: no tenant of this host has user $(id -u) or a group" env
grep -q "session 1 user $(id -u) refused: identity" hostd.log ||
    fail "$(cat hostd.log)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	as() {
		uid=$1 gid=$2
		shift 2
		setpriv --reuid "$uid" --regid "$gid" --clear-groups env \
		    HOME=/ XDG_CONFIG_HOME=/nonexistent "$@"
	}
	cp "$scenario" "$public/scenario"
	scenario=$public/scenario
	chmod a+rx "$scenario"
	sums as 4242 4242
	sums as 5000 4343
	[ "$(grep -c 'tenant me begins' hostd.log)" = 2 ] ||
	    fail "$(cat hostd.log)"
	says 'the host refused: no tenant of this host has user 5000' \
	    as 5000 5000
fi
stop

# The other way round: a host that is somebody else is told nothing.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir "$public/other"
	chown 4242 "$public/other"
	chmod 700 "$public/other"
	cp "$vgpu_hostd" "$public/hostd"
	chmod a+rx "$public/hostd"
	cp -r "$pocl" "$public/vendors"
	chmod -R a+rX "$public/vendors"
	cat >"$public/conf" <<END
listen = "vgpu+unix:$public/other/s"
port-file = "$public/other/port"
vendors = "$public/vendors"
state-dir = "$public/other/state"
tenant-default { users = "*" }
END
	chmod a+r "$public/conf"
	# Not by "as": the process to be ended is the daemon itself.
	background setpriv --reuid 4242 --regid 4242 --clear-groups env \
	    HOME=/ POCL_CACHE_DIR="$public/other/pocl" "$public/hostd" -f "$public/conf" 2>hostd.log
	wait_until 30 test -s "$public/other/port"
	VGPU_HOST=vgpu+unix:$public/other/s
	says 'the host runs as user 4242, who is neither root nor' env
	sums env VGPU_HOST_USER=4242
	[ "$(grep -c 'begins' hostd.log)" = 1 ] || fail "$(cat hostd.log)"
fi
