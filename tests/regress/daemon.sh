# SPDX-License-Identifier: ISC
#
# daemon.sh - for the regress tests that keep a daemon of their own and ask it
# with vgpuctl: its devices are those of tests/fakecl, and it listens at a Unix
# socket, so that it needs no certificates.
#
#	. "$(dirname "$0")/lib.sh"
#	. "$here/daemon.sh"
#	vendor alpha 'devices 2 gpu; model Card'
#	start_daemon 'log-level = debug'
#	says '^devices +2$' status
#	end_daemon

requires "$fakecl" "$vgpuctl"
public_folder
vendors=$public/vendors
mkdir "$vendors"
chmod 755 "$vendors"

# vendor NAME SCRIPT: one more, or another script for that one.
vendor() {
	fakecl_vendor "$1" "$2" "$vendors"
}

# start_daemon [LINE...]: with these lines in its configuration, too.  $hostd is
# its process, "log" its log; OpenCL programs find it, and nothing else.
start_daemon() {
	cat >conf <<END
listen = "vgpu+unix:$public/hostd.sock"
control = "$tmp/control"
state-dir = "$public/state"
vendors = "$vendors"
tenant-default { users = "*" }
END
	[ $# = 0 ] || printf '%s\n' "$@" >>conf
	background "$vgpu_hostd" -f conf 2>log
	hostd=$!
	wait_until 60 grep -q ': ready ' log
	VGPU_CONTROL=$tmp/control VGPU_HOST=vgpu+unix:$public/hostd.sock
	export VGPU_CONTROL VGPU_HOST
	vgpu_alone
}

# says PATTERN ARGUMENT...: vgpuctl's output has such a line.
says() {
	pattern=$1
	shift
	"$vgpuctl" "$@" >out 2>err || fail "$*: exit status $?: $(cat err)"
	grep -qE "$pattern" out || fail "$*: no \"$pattern\": $(cat out)"
}

# ready_again N: it has been ready so often, as after each reload.
ready_again() {
	wait_until 60 sh -c "[ \$(grep -c ': ready ' log) -ge $1 ]"
}

# no_sessions: they end.
no_sessions() {
	wait_until 60 sh -c "! '$vgpuctl' sessions | grep -q uid-"
}

# end_daemon: it has not ended by itself, and does so when it is told to.
end_daemon() {
	! gone $hostd || fail "the daemon has ended: $(tail -n 3 log)"
	kill -TERM $hostd
	wait_until 20 gone $hostd
}
