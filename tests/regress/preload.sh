#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Vendors that are loaded ahead of time: a session that waits has the library;
# one that crashes there is loaded later, as a session needs it; and what it
# keeps in files is the tenant's all the same.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires clinfo "$fakecl" "$scenario" "/proc/$$/task/$$/children"

# start LOG LIBRARY: a daemon on a socket with this vendor; its process to
# $daemon.
start() {
	public_folder
	cp "$2" "$public/"
	chmod 755 "$public/${2##*/}"
	cat >conf <<END
listen = "vgpu+unix:$public/socket"
state-dir = "$public/state"
vendors = "$public/${2##*/}"
warm-sessions = 1
tenant-default { users = { "*" } }
END
	background "$vgpu_hostd" -d -f "$tmp/conf" 2>"$1"
	daemon=$!
	wait_until 30 grep -q ' ready ' "$1"
}

stop() {
	kill "$daemon"
	wait_until 10 gone "$daemon"
}

client() {
	VGPU_HOST="vgpu+unix:$public/socket" OCL_ICD_VENDORS="$vgpu_icd" \
	    OCL_ICD_FILENAMES="$vgpu_icd" "$@"
}

children() {
	cat "/proc/$daemon/task/$daemon/children"
}

# waiting LIBRARY: a session waits that has this library.
waiting() {
	for pid in $(children); do
		grep -q "$1" "/proc/$pid/maps" 2>/dev/null &&
		    tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q waiting &&
		    return 0
	done
	return 1
}

requires $system_vendors/pocl.icd
start log.pocl $system_vendors/pocl.icd
wait_until 20 waiting libpocl
client "$scenario" launches 10 >out || fail "launches: $?"
[ "$(cat out)" = "sum 55" ] || fail "launches: $(cat out)"
wait_until 20 waiting libpocl
# Where sessions are another user, kernels are kept in the tenant's folder.
if [ "$(id -u)" = 0 ]; then
	tenant=$(echo "$public"/state/tenants/*)
	[ -n "$(find "$tenant/pocl" -name '*.so' | head -n 1)" ] ||
	    fail "no kernels in $tenant: $(find "$tenant")"
fi
stop
rm -r "$public"

# It crashes ahead of time: sessions are started without it, and work as far
# as they do not need it.
FAKECL='devices 1 cpu; name Toy; crash clCreateContext'
export FAKECL
start log.crash "$fakecl"
wait_until 20 grep -q 'ended at its start' log.crash
client clinfo -l >out || fail "clinfo: $?"
grep -q 'Device #0: Toy' out || fail "no device: $(cat out)"
client "$scenario" launches 10 >out 2>&1 && fail "a crash is no success"
client clinfo -l >out || fail "clinfo after a crash: $?"
grep -q 'Device #0: Toy' out || fail "no device after a crash: $(cat out)"
grep -q 'session 2 ended: killed by signal 11' log.crash ||
    fail "the log does not tell of the crash: $(cat log.crash)"
crashes=$(grep -c 'ended at its start' log.crash)
[ "$crashes" = 1 ] || fail "$crashes crashes ahead of time, expected 1"
stop
