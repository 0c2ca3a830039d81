#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Vendors' libraries that crash or hang where they are loaded leave nothing behind,
# however often they are asked.
. "$(dirname "$0")/lib.sh"
. "$here/daemon.sh"
requires ps

vendor crashes 'crash at probe'
vendor hangs 'hang at probe'
vendor works 'devices 1 gpu; model Card'
vendor clashes 'devices 1 gpu; model Card'
mkdir "$public/temporary"
chmod 1777 "$public/temporary"
TMPDIR=$public/temporary
start_daemon 'log-level = debug' 'probe-timeout = 1'
says '^devices +2$' status

# nothing_left: in the folder for temporary files.
nothing_left() {
	[ -z "$(ls -A "$public/temporary")" ] ||
	    fail "left over: $(find "$public/temporary")"
}
# looks COUNT: that many rescans have ended.
looks() {
	wait_until 60 sh -c "[ \$(grep -c 'rescan: the same' log) -ge $1 ]"
}

nothing_left
for i in 1 2 3; do
	"$vgpuctl" rescan || fail "rescan: exit status $?"
	looks $i
done
says '^vendor crashes .*not used: .*signal 11' devices
says '^vendor hangs .*not used: no answer within 1 s' devices
nothing_left

# Where two can't be in one process all are loaded again, in pairs.
vendor clashes 'here clashes; devices 1 gpu; model Card'
vendor works 'clash clashes; devices 1 gpu; model Card'
"$vgpuctl" reload || fail "reload: exit status $?"
ready_again 2
grep -q "clashes and works can't share a process" log ||
    fail "no clash: $(cat log)"
nothing_left

# A process that waits for a client loads them, too.
vendor works 'crash at probe'
vendor clashes 'crash at probe'
waiting=$(ps -o pid= --ppid $hostd)
[ -n "$waiting" ] || fail "nobody waits for a client"
kill -KILL $waiting
wait_until 60 grep -q 'signal 11' log
end_daemon
nothing_left
