#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A client that is killed while its kernel runs leaves nothing on the host; a
# session that is killed ends its client's calls with an error; neither
# harms others.
host=${VGPU_HOST-} vendors=${OCL_ICD_VENDORS-}
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires "$scenario" "/proc/$$/task/$$/children"

children() {
	cat "/proc/$1/task/$1/children" 2>/dev/null
}

# sessions: those of the daemon that have a client.
sessions() {
	for pid in $(children "$daemon"); do
		if tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q ' tenant '; then
			echo "$pid"
		fi
	done
}

one_session() {
	[ "$(sessions | wc -l)" = 1 ]
}

if [ "${1-}" != inside ]; then
	through_vgpu sh "$here/killed.sh" inside || fail "exit status $?"
	exit 0
fi

# What vgpu-run set, and lib.sh unset.
VGPU_HOST=$host OCL_ICD_VENDORS=$vendors OPENCL_VENDOR_PATH=$vendors
export VGPU_HOST OCL_ICD_VENDORS OPENCL_VENDOR_PATH
daemon=
for pid in $(children $PPID); do
	[ "$pid" = $$ ] || daemon=$pid
done
[ -n "$daemon" ] || fail "no daemon beside this script"

# A client dies in the middle of a kernel.
background "$scenario" spin >spin
client=$!
wait_until 60 grep -q running spin
session=$(sessions)
[ -n "$session" ] || fail "no session of daemon $daemon"
kill -KILL "$client"
wait_until 1 gone "$session"

# A session dies in the middle of a kernel; another one lives on.
mkfifo line
exec 3<>line
"$scenario" hold <line >hold &
holder=$!
started="$started $holder"
wait_until 60 grep -q ready hold
other=$(sessions)
background "$scenario" spin >spin
client=$!
wait_until 60 grep -q running spin
for session in $(sessions); do
	[ "$session" = "$other" ] || kill -KILL "$session"
done
wait_until 1 gone "$client"
grep -q '^finish -2$' spin || fail "finish of a lost session: $(cat spin)"
echo go >&3
wait_until 10 gone "$holder"
grep -q '^sum 55$' hold || fail "another session: $(cat hold)"
[ "$("$scenario" launches 10)" = "sum 55" ] || fail "a new session"
